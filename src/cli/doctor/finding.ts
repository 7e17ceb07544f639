// A finding of `bellhop doctor`.

export interface Finding {
  /** Such as `token`, `queue`. */
  check: string
  is: 'ok' | 'warn' | 'fail'
  /** A sentence. */
  message: string
  /** What to do, unless ok. */
  remedy?: string
}

/** Makes the findings of one check. */
export const findingsOf = (check: string) => ({
  ok: (message: string): Finding => ({ check, is: 'ok', message }),
  warn: (message: string, remedy: string): Finding => ({ check, is: 'warn', message, remedy }),
  fail: (message: string, remedy: string): Finding => ({ check, is: 'fail', message, remedy }),
})
