// The records of sweeps that people requested; each is stored for a day.
import { DAY_MS } from './days.ts'
import type { Journal } from './journal.ts'
import { wholeService } from './tables/marks.ts'
import type { SweepRecord } from './types.ts'

const markOf = (id: string) => `sweep ${id}`

/** Replaces the record with its id. Throws JournalUnavailable. */
export const saveSweep = ({ marks }: Pick<Journal, 'marks'>, sweep: SweepRecord): Promise<void> =>
  marks.write(wholeService, markOf(sweep.id), sweep, DAY_MS)

/** Undefined if there is none. Throws JournalUnavailable. */
export const readSweep = ({ marks }: Pick<Journal, 'marks'>, id: string): Promise<SweepRecord | undefined> =>
  marks.read(wholeService, markOf(id))
