// A connection that gives up waiting for an answer: only the time counts in which this process could have heard it.
import type { RedisOptions } from 'ioredis'
import { JoinedWrites } from './joined-writes.ts'

type Command = Parameters<JoinedWrites['sendCommand']>[0]

const TICK_MS = 50

/**
 * As JoinedWrites, but what is not answered within so many milliseconds fails. ioredis' own limit also fails what was answered in time and not
 * read yet, because the process stood still (all cores busy, much to collect): then a job is refused that the queue has.
 */
export class AnswersInTime extends JoinedWrites {
  readonly #withinMs: number
  readonly #asked: { command: Command; until: number }[] = []
  #livedMs = 0
  #ticking: NodeJS.Timeout | undefined

  constructor(url: string, { withinMs, ...options }: RedisOptions & { replyMapping?: 'legacy'; withinMs: number }) {
    super(url, options)
    this.#withinMs = withinMs
  }

  override sendCommand(...args: Parameters<JoinedWrites['sendCommand']>): unknown {
    // It waited for a connection until it was given up. Sent now, it could undo what was written meanwhile.
    if (args[0].isSettled) return args[0].promise
    this.#letGo()
    this.#asked.push({ command: args[0], until: this.#livedMs + this.#withinMs })
    this.#ticking ??= setInterval(() => this.#tick(), TICK_MS).unref()
    return super.sendCommand(...args)
  }

  /** What is held until the next tick, with its body, is met by the collections of what is young, and those take longer (docs/decisions/0037). */
  #letGo(): void {
    // Mostly answers come in the order of the questions; what is behind one without an answer waits for the tick.
    let answered = 0
    while (this.#asked[answered]?.command.isSettled) answered += 1
    if (answered > 0) this.#asked.splice(0, answered)
  }

  #tick(): void {
    // However late this tick is: what came meanwhile is read after it.
    this.#livedMs += TICK_MS
    const first = this.#asked.findIndex(({ command, until }) => !command.isSettled && until > this.#livedMs)
    const over = this.#asked.splice(0, first === -1 ? this.#asked.length : first)
    for (const { command } of over) if (!command.isSettled) command.reject(new Error('Command timed out'))
    if (this.#asked.length > 0) return
    clearInterval(this.#ticking)
    this.#ticking = undefined
  }
}
