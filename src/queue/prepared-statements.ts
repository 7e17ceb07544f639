// Statements of PGlite's session that are parsed once: PGlite itself parses and plans each anew, which is half of what a short one costs.
import { type PGlite, parse, protocol, type Results } from '@electric-sql/pglite'

/** As many are kept; Bellhop and BullMQ together have fewer. What was asked for longest ago goes first. */
const most = 200

/** PostgreSQL plans a statement for good after some runs, by what the tables hold then; parsed anew, it is planned by what they hold now. */
const mostRuns = 500

interface Prepared {
  name: string
  runs: number
  /** Of its parameters, as PostgreSQL knows them. */
  types: readonly number[]
}

export type Session = Pick<PGlite, 'runExclusive' | 'execProtocolStream' | 'serializers' | 'parsers'>

/** Runs one statement with values, as `PGlite.query` does; throws its error. */
export function preparedStatements(db: Session): (text: string, values: readonly unknown[]) => Promise<Results<unknown> | undefined> {
  const known = new Map<string, Prepared>()
  let made = 0
  const { serialize } = protocol
  const send = (...messages: Uint8Array[]) => db.execProtocolStream(Buffer.concat([...messages, serialize.sync()]), { syncToFs: true })

  const forget = async ({ name }: Prepared) => void (await send(serialize.close({ type: 'S', name })))

  async function prepare(text: string): Promise<Prepared> {
    const found = known.get(text)
    known.delete(text)
    if (found !== undefined && found.runs < mostRuns) {
      found.runs += 1
      known.set(text, found)
      return found
    }
    if (found !== undefined) await forget(found)
    made += 1
    const name = `s${made}`
    const messages = await send(serialize.parse({ name, text }), serialize.describe({ type: 'S', name }))
    const types = messages.flatMap((message) =>
      message instanceof protocol.messages.ParameterDescriptionMessage ? message.dataTypeIDs : [],
    )
    const prepared = { name, types, runs: 1 }
    known.set(text, prepared)
    const [oldest] = known
    if (known.size > most && oldest !== undefined) {
      known.delete(oldest[0])
      await forget(oldest[1])
    }
    return prepared
  }

  const written = (value: unknown, type: number | undefined): string | null => {
    if (value === null || value === undefined) return null
    const serializer = type === undefined ? undefined : db.serializers[type]
    return serializer === undefined ? String(value) : serializer(value)
  }

  return (text, values) =>
    db.runExclusive(async () => {
      const { name, types } = await prepare(text)
      const given = values.map((value, at) => written(value, types[at]))
      const messages = await send(
        serialize.bind({ statement: name, values: given }),
        serialize.describe({ type: 'P' }),
        serialize.execute({}),
      )
      return parse.parseResults(messages, db.parsers)[0]
    })
}
