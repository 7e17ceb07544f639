// A script that Redis keeps: it is sent by its name, and in whole only where Redis may not know it (at first, and over each new connection).
import { createHash } from 'node:crypto'
import type { Writable } from 'node:stream'
import { Command, type Redis } from 'ioredis'

type Value = string | number | Buffer

/** Over one connection, in the order in which they are called, however many keys and values there are; what the script or the connection throws is thrown. */
interface RunScript {
  (keys: readonly string[], values: readonly Value[]): Promise<unknown>
  /** The same for keys that stay: they are written once. */
  on(keys: readonly string[]): (values: readonly Value[]) => Promise<unknown>
}

interface Script {
  whole: string
  byName: string
  /** Until Redis is seen to know it there, it is sent in whole: of many at once, one that is refused by its name would be overtaken by those that come when it is known. */
  knownOver?: Writable | undefined
}

/** Gives how it is run over that connection. */
export function redisScript(redis: Pick<Redis, 'sendCommand'>, lua: string): RunScript {
  const sha = createHash('sha1').update(lua).digest('hex')
  const script: Script = { whole: argument('eval') + argument(lua), byName: argument('evalsha') + argument(sha) }
  const on: RunScript['on'] = (keys) => {
    const head = [keys.length, ...keys].map(argument).join('')
    const send = async (values: readonly Value[]) => {
      const command = new ScriptCommand(script, { count: 3 + keys.length + values.length, head, values })
      const answer = await (redis.sendCommand(command) as Promise<unknown>)
      script.knownOver = command.sentOver
      return answer
    }
    return async (values) => {
      try {
        return await send(values)
      } catch (thrown) {
        // Only where somebody had Redis forget its scripts.
        if (!(thrown instanceof Error && thrown.message.startsWith('NOSCRIPT'))) throw thrown
        script.knownOver = undefined
        return send(values)
      }
    }
  }
  return Object.assign((keys: readonly string[], values: readonly Value[]) => on(keys)(values), { on })
}

/**
 * What all calls have in common is written once, and a body is handed on as it is: ioredis would write each name anew, and copy the body to
 * stand between them. Its parts go out one after the other, so it must be sent on a connection itself, never in a pipeline.
 */
class ScriptCommand extends Command {
  sentOver: Writable | undefined
  readonly #script: Script
  readonly #given: { count: number; head: string; values: readonly Value[] }

  constructor(script: Script, given: { count: number; head: string; values: readonly Value[] }) {
    super('evalsha', [], { replyEncoding: 'utf8' })
    this.#script = script
    this.#given = given
  }

  /** Gives the last part; those before it are written to the connection. Asked once more where that ended before the answer. */
  override toWritable(connection: Writable): string {
    const { count, head, values } = this.#given
    this.sentOver = connection
    let text = `*${count}\r\n${this.#script.knownOver === connection ? this.#script.byName : this.#script.whole}${head}`
    for (const value of values) {
      if (Buffer.isBuffer(value)) {
        connection.write(`${text}$${value.length}\r\n`)
        connection.write(value)
        text = '\r\n'
      } else text += argument(value)
    }
    return text
  }
}

function argument(value: string | number): string {
  const text = String(value)
  return `$${Buffer.byteLength(text)}\r\n${text}\r\n`
}
