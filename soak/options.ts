// The options of `npm run soak`.
import { randomInt } from 'node:crypto'
import { parseArgs } from 'node:util'
import { type FaultKind, faultKinds } from './schedule.ts'
import type { QueueKind } from './stores.ts'

export const usage = `Usage: npm run soak -- [--minutes M] [--faults all|none|LIST] [--seed S] [--queue KIND] [--format text|json]

  --minutes M   how long people work, on each queue (1); rest and checks come after it
  --faults      all (the default), none, or some of ${faultKinds.join(',')}
  --seed S      a whole number; the same seed gives the same steps (drawn by chance without it, and printed)
  --queue       embedded; redis, with the journal in PostgreSQL; postgres, for both; failover, a Redis that fails over;
                both (the default), the first two; or all
  --keep        keep the folder of logs also when every promise held
`

export interface Options {
  minutes: number
  faults: FaultKind[]
  seed: number
  queues: readonly QueueKind[]
  json: boolean
  keep: boolean
}

const queuesOf = new Map<string, readonly QueueKind[]>([
  ['embedded', ['embedded']],
  ['redis', ['redis']],
  ['postgres', ['postgres']],
  ['failover', ['failover']],
  ['both', ['embedded', 'redis']],
  ['all', ['embedded', 'redis', 'postgres', 'failover']],
])

/** Undefined where the usage is to be shown. Throws for an option that there is not. */
export function readOptions(args: string[]): Options | undefined {
  const { values } = parseArgs({
    args,
    options: {
      minutes: { type: 'string', default: '1' },
      faults: { type: 'string', default: 'all' },
      seed: { type: 'string', default: String(randomInt(2 ** 31)) },
      queue: { type: 'string', default: 'both' },
      format: { type: 'string', default: 'text' },
      keep: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  const minutes = Number(values.minutes)
  const seed = Number(values.seed)
  const queues = queuesOf.get(values.queue)
  const wanted = values.faults === 'all' ? faultKinds : values.faults === 'none' ? [] : values.faults.split(',')
  const faults = faultKinds.filter((each) => wanted.includes(each))
  if (values.help || queues === undefined || !['text', 'json'].includes(values.format)) return undefined
  if (!(minutes > 0) || !Number.isInteger(seed) || faults.length !== wanted.length) return undefined
  return { minutes, faults, seed, queues, json: values.format === 'json', keep: values.keep }
}
