// History: what is deleted by whole days where the store has a partition for each. All else is kept by key.
import { DAY_MS, dayOf } from '../days.ts'

/** What has a retention of its own. */
export type History = 'deliveries' | 'decisions'

/** The tables of history: records by key, and members of indices, which begin with their time (keys.ts). */
export const historyTables = {
  deliveries: { records: 'delivery', members: 'delivery_member' },
  decisions: { records: 'decision', members: 'decision_member' },
} as const satisfies Record<History, { records: string; members: string }>

/** Of the time with which a member begins. */
const TIME_DIGITS = 16

const recordTables: Record<string, RecordTable> = { delivery: 'delivery', decision: 'decision', body: 'body' }

export type RecordTable = 'record' | 'delivery' | 'decision' | 'body'
export type MemberTable = 'member' | 'delivery_member' | 'decision_member'

/** By the kind with which a key begins; `record` for what is no history. */
export function recordTableOf(key: string): RecordTable {
  return recordTables[kindOf(key)] ?? 'record'
}

/** By the kind with which an index begins; `member` for what is no history. */
export function memberTableOf(index: string): MemberTable {
  const kind = kindOf(index)
  if (/^deliveries( |$)/.test(kind)) return 'delivery_member'
  return /^(decisions|evaluations)( |$)/.test(kind) ? 'decision_member' : 'member'
}

/** The day of an index's member. */
export const dayOfMember = (member: string): number => dayOf(Number(member.slice(0, TIME_DIGITS)))

/** Sorts before all members of the day, and after all of the day before. */
export const firstOfDay = (day: number): string => String(day * DAY_MS).padStart(TIME_DIGITS, '0')

/** Keys are arrays in JSON whose first element is their kind. */
function kindOf(key: string): string {
  return /^\["([^"\\]*)"/.exec(key)?.[1] ?? ''
}
