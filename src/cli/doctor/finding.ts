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
export function findingsOf(check: string) {
  const ok = (message: string): Finding => ({ check, is: 'ok', message })
  const warn = (message: string, remedy: string): Finding => ({ check, is: 'warn', message, remedy })
  return {
    ok,
    warn,
    fail: (message: string, remedy: string): Finding => ({ check, is: 'fail', message, remedy }),
    okIf: (isOk: boolean, good: string, bad: string, remedy: string) => (isOk ? ok(good) : warn(bad, remedy)),
  }
}
