// What the doctor finds: what was looked at, how it is, and what to do about it.

export interface Finding {
  /** What was looked at: `token`, `queue`. */
  check: string
  is: 'ok' | 'warn' | 'fail'
  /** A sentence. */
  says: string
  /** What to do; where it is not ok. */
  remedy?: string
}

export const ok = (check: string, says: string): Finding => ({ check, is: 'ok', says })
export const warn = (check: string, says: string, remedy: string): Finding => ({ check, is: 'warn', says, remedy })
export const fail = (check: string, says: string, remedy: string): Finding => ({ check, is: 'fail', says, remedy })
