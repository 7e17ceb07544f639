// A connection that writes the commands of one turn of the event loop together: each write of its own is a system call, which costs more than the command.
import { Redis } from 'ioredis'

/** As Redis, but what is sent within one turn goes out at its end: no later than anything else that the turn has to do. */
export class JoinedWrites extends Redis {
  #held: Redis['stream'] | undefined

  override sendCommand(...args: Parameters<Redis['sendCommand']>): unknown {
    this.#hold()
    return super.sendCommand(...args)
  }

  #hold(): void {
    const { stream } = this
    // After a reconnection it is another one.
    if (stream === undefined || stream === this.#held) return
    this.#held = stream
    stream.cork()
    setImmediate(() => {
      if (this.#held === stream) this.#held = undefined
      stream.uncork()
    })
  }
}
