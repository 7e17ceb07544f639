// The few things that the journal needs of a store. Keys, members and values are texts without NUL characters and lone surrogates (see keys.ts).

/** An index is a set of members, ordered by their bytes. */
export interface Named {
  name: string
  member: string
}

/** A number of a tally, which has many under names of their own. */
export interface Tallied {
  tally: string
  field: string
  /** `add`: to what is there, or to 0; `raise`: to this, where it is less. */
  how: 'add' | 'raise'
  number: number
  /** Of the whole tally; the same for all of its fields, whenever they are counted, or more. */
  keepMs: number
}

/** A tally takes no more numbers of new names than these, or hardly more: what comes then is not counted. */
export const MOST_IN_TALLY = 4_000

/** What is added to the end of a list. */
interface Appended {
  value: string
  mark: string
  keepMarkMs: number
  keepMs?: number
  claim?: Claim
}

/** A record that the first to name itself in it has for a while. */
export interface Claim {
  key: string
  by: string
  keepMs: number
  /** Where it is noted that another had it, for as long as the mark is kept: the answer is the same when the claim is over. */
  lostKey: string
}

export interface Write {
  /** A record like those of `put`. Nothing of the write is done where the one of its key has the text `unless` in it. */
  guarded?: { key: string; value: string; unless: string }
  put?: { key: string; value: string; keepMs?: number }[]
  remove?: string[]
  index?: Named[]
  unindex?: Named[]
  /** Each field of a tally once. */
  count?: Tallied[]
}

/** One small interface, two implementations; each method is atomic. */
export interface JournalStore {
  /** In the order of the keys; undefined where there is none, or its time is over. */
  read(keys: string[]): Promise<(string | undefined)[]>
  /** All of it or nothing. */
  write(write: Write): Promise<void>
  /** The numbers of each tally, in the order of the names; empty where there is none, or its time is over. */
  tallies(names: string[]): Promise<Record<string, number>[]>
  /** The last members first: those before `before`. */
  members(index: string, options: { before?: string; limit: number }): Promise<string[]>
  /** The member that has so many after it; undefined where there are not so many. */
  behind(index: string, after: number): Promise<string | undefined>
  /** The first members of the index that lie before `before`. */
  oldest(index: string, options: { before: string; limit: number }): Promise<string[]>
  /**
   * Adds to the end of a list, once per `mark` for as long as the mark is kept; answers the entry's number, or nothing when the mark was
   * there. Where another has the claim, nothing is added, and it is named. Numbers grow in the order in which entries become visible: whoever has read up to one has missed none below it. With `keepMs` the
   * whole list ends so long after its last entry; without it, it stays.
   */
  append(list: string, entry: Appended): Promise<{ seq?: number; claimedBy?: string }>
  /** Oldest first. */
  entries(list: string): Promise<{ seq: number; value: string }[]>
  /** Removes the entries up to and with `seq`; with `keepEmptyMs`, the numbers of a list that is empty then begin anew after so long. */
  trim(list: string, seq: number, keepEmptyMs?: number): Promise<void>
  /** Puts a value in the place of another, or where there was none (`from` undefined); false, and nothing done, where it is another by now. */
  swap(key: string, change: { from: string | undefined; to: string; keepMs?: number }): Promise<boolean>
  /** Keeps for so long from now on what would end earlier; what never ends, and what is not there, stays as it is. */
  extend(what: { records?: string[]; lists?: string[] }, keepMs: number): Promise<void>
  /** Drops what is kept no longer, where the store does not do so by itself. */
  dropExpired(now: Date): Promise<void>
}
