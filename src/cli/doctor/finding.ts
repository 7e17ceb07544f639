// A finding of `bellhop doctor`.

export interface Finding {
  /** Such as `token`, `queue`. */
  check: string
  is: 'ok' | 'warn' | 'fail'
  /** A sentence. */
  says: string
  /** What to do, unless ok. */
  remedy?: string
}

export const ok = (check: string, says: string): Finding => ({ check, is: 'ok', says })
export const warn = (check: string, says: string, remedy: string): Finding => ({ check, is: 'warn', says, remedy })
export const fail = (check: string, says: string, remedy: string): Finding => ({ check, is: 'fail', says, remedy })
