// Counts what the bot passed, from the coverage of its functions and the texts of its SQL.
import { fileURLToPath } from 'node:url'

interface Taken {
  scripts: readonly {
    url: string
    functions: readonly { functionName: string; ranges: readonly { startOffset: number; count: number }[] }[]
  }[]
  statements: readonly string[]
}

export interface Passed {
  /** Those of `dist`, which has a file for each of `src`. */
  files: number
  /** With a name. */
  functions: number
  decisions: number
  /** Transactions that the journal's methods began, of one statement or more. */
  journal: number
  /** Those of Bellhop; a statement outside a transaction is one of its own. */
  transactions: number
  statements: number
  queueStatements: number
  /** With their numbers of calls. */
  busiest: string[]
}

const dist = fileURLToPath(new URL('../../dist/', import.meta.url))
const ofJournal = /\bbellhop\./
const begins = /^\s*(begin|start\s+transaction)\b/i
const ends = /^\s*(commit|end|abort|rollback)\b/i

export function passedIn({ scripts, statements }: Taken): Passed {
  const files = new Map<string, Map<string, number>>()
  for (const { url, functions } of scripts) {
    const path = url.startsWith('file:') ? fileURLToPath(url) : ''
    // What is loaded runs the code of its module, which is no step of the delivery.
    const called = functions.flatMap(({ functionName: name, ranges }, index) => {
      const { count = 0, startOffset = 0 } = ranges[0] ?? {}
      return count === 0 || startOffset === 0 ? [] : [[`${name}#${index}`, count] as const]
    })
    if (path.startsWith(dist) && called.length > 0) files.set(path.slice(dist.length), new Map(called))
  }
  const all = [...files].flatMap(([file, called]) => [...called].map(([name, count]) => ({ file, name, count })))
  const calls = (file: RegExp, name: RegExp) =>
    all.filter((each) => file.test(each.file) && name.test(each.name)).reduce((sum, { count }) => sum + count, 0)
  const busiest = [...files].map(([file, called]) => ({ file, count: [...called.values()].reduce((a, b) => a + b, 0) }))
  return {
    files: files.size,
    functions: all.filter(({ name }) => !name.startsWith('#')).length,
    decisions: calls(/^rules\/engine\/decide\.js$/, /^decide#/),
    journal: calls(/^journal\/database\/database\.js$/, /^(query|transaction)#/),
    ...statementsOf(statements),
    busiest: busiest
      .toSorted((a, b) => b.count - a.count)
      .slice(0, 10)
      .map(({ file, count }) => `${file} ${count}`),
  }
}

function statementsOf(texts: readonly string[]): Pick<Passed, 'transactions' | 'statements' | 'queueStatements'> {
  const found = { transactions: 0, statements: 0, queueStatements: 0 }
  let open: string[] | undefined
  for (const text of texts) {
    if (begins.test(text)) open = []
    else if (ends.test(text)) {
      if (open?.some((each) => ofJournal.test(each)) === true) found.transactions += 1
      open = undefined
    } else {
      if (ofJournal.test(text)) found.statements += 1
      else found.queueStatements += 1
      if (open !== undefined) open.push(text)
      else if (ofJournal.test(text)) found.transactions += 1
    }
  }
  return found
}
