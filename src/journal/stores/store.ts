// The operations that the journal needs of a store. Texts hold no NUL characters and no lone surrogates (see keys.ts).
import type { History } from './history.ts'

/** An index is a set of members, ordered by their bytes. */
export interface IndexEntry {
  name: string
  member: string
}

/** One field of a tally. */
export interface TallyChange {
  tally: string
  field: string
  /** `add`: increments; `raise`: sets where the number is higher. */
  how: 'add' | 'raise'
  number: number
  /** The time that the tally is of, in milliseconds since 1970; on the same day for all its fields. */
  at: number
  /** Of the whole tally; equal for all its fields, or longer. */
  keepMs: number
}

/** A tally takes about so many fields; more are not counted. */
export const MOST_IN_TALLY = 4_000

interface NewListEntry {
  value: string
  idempotencyKey: string
  keepIdempotencyKeyMs: number
  keepMs?: number
  claim?: EventClaim
}

/** A record that belongs to the first that claims it, for a while. */
export interface EventClaim {
  key: string
  by: string
  keepMs: number
  /** Records a lost claim for as long as the idempotency key: the answer stays the same after the claim expires. */
  lostKey: string
}

export interface Put {
  key: string
  value: string
  keepMs?: number
  /**
   * When it happened, in milliseconds since 1970: for the keys of history (history.ts), and only for those. Of two
   * values of a key, that of the later day counts.
   */
  at?: number
}

export interface Write {
  /** A `put` on a condition: where the present value contains `unless`, nothing of the write is done. */
  guarded?: Put & { unless: string }
  put?: Put[]
  remove?: string[]
  index?: IndexEntry[]
  unindex?: IndexEntry[]
  count?: TallyChange[]
}

/** Each method is atomic. */
export interface JournalStore {
  /** In the order of the keys; undefined where missing or expired. */
  read(keys: string[]): Promise<(string | undefined)[]>
  write(write: Write): Promise<void>
  /** In the order of the names; empty where missing or expired. */
  tallies(names: string[]): Promise<Record<string, number>[]>
  /** Last members first; those before `before`. */
  members(index: string, options: { before?: string; limit: number }): Promise<string[]>
  /** The member with so many after it; undefined where there are fewer. */
  behind(index: string, after: number): Promise<string | undefined>
  oldest(index: string, options: { before: string; limit: number }): Promise<string[]>
  /**
   * Appends once per `mark`; returns the entry's number, or nothing where the mark exists. Where another has the
   * claim, appends nothing and names it. Numbers become visible in order. With `keepMs` the list expires so long
   * after its last entry.
   */
  append(list: string, entry: NewListEntry): Promise<{ seq?: number; claimedBy?: string }>
  /** Oldest first. */
  entries(list: string): Promise<{ seq: number; value: string }[]>
  /** Removes entries up to and including `seq`; with `keepEmptyMs`, an empty list's numbers restart after so long. */
  trim(list: string, seq: number, keepEmptyMs?: number): Promise<void>
  /** Compare-and-set (`from` undefined: missing); false where the value differs. */
  swap(key: string, change: { from: string | undefined; to: string; keepMs?: number }): Promise<boolean>
  /** Extends what would expire earlier; never shortens. */
  extend(what: { records?: string[]; lists?: string[] }, keepMs: number): Promise<void>
  /** Where the store does not do it itself. */
  dropExpired(now: Date): Promise<void>
  /**
   * Deletes the records and index entries of whole days before the member, at once. Absent where the store has no days:
   * then each record is deleted.
   */
  dropDays?: (of: History, before: string) => Promise<void>
}
