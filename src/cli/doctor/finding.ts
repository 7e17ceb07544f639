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

export const ok = (check: string, message: string): Finding => ({ check, is: 'ok', message })
export const warn = (check: string, message: string, remedy: string): Finding => ({
  check,
  is: 'warn',
  message,
  remedy,
})
export const fail = (check: string, message: string, remedy: string): Finding => ({
  check,
  is: 'fail',
  message,
  remedy,
})
