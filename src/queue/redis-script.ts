// A script that Redis keeps: it is sent by its name, and in whole only where Redis does not know it (at first, and after a restart).
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

/** Gives how it is run over that connection. */
export function redisScript(redis: Pick<Redis, 'sendCommand'>, lua: string): RunScript {
  const sha = createHash('sha1').update(lua).digest('hex')
  // Until Redis is seen to know it, it is sent in whole: of many at once, one that is refused by its name would be overtaken by those that come when it is known.
  let isKnown = false
  const on: RunScript['on'] = (keys) => {
    const head = [keys.length, ...keys].map(argument).join('')
    const send = (name: string, script: string, values: readonly Value[]) => {
      const count = 3 + keys.length + values.length
      return redis.sendCommand(
        new ScriptCommand(name, `*${count}\r\n${argument(name)}${argument(script)}${head}`, values),
      ) as Promise<unknown>
    }
    return async (values) => {
      try {
        if (isKnown) return await send('evalsha', sha, values)
      } catch (thrown) {
        if (!(thrown instanceof Error && thrown.message.startsWith('NOSCRIPT'))) throw thrown
        isKnown = false
      }
      const answer = await send('eval', lua, values)
      isKnown = true
      return answer
    }
  }
  return Object.assign((keys: readonly string[], values: readonly Value[]) => on(keys)(values), { on })
}

/**
 * What all calls have in common is written once, and a body is handed on as it is: ioredis would write each name anew, and copy the body to
 * stand between them. Its parts go out one after the other, so it must be sent on a connection itself, never in a pipeline.
 */
class ScriptCommand extends Command {
  readonly #head: string
  readonly #values: readonly Value[]

  constructor(name: string, head: string, values: readonly Value[]) {
    super(name, [], { replyEncoding: 'utf8' })
    this.#head = head
    this.#values = values
  }

  /** Gives the last part; those before it are written to the connection. */
  override toWritable(connection: Writable): string {
    let text = this.#head
    for (const value of this.#values) {
      if (typeof value === 'object') {
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
