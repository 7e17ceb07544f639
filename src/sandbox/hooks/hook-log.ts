// The last deliveries of each hook, and whether failures have disabled it.

interface HookLogEntry {
  id: number
  url: string
  /** GitLab's name: `merge_request_hooks`. */
  trigger: string
  payload: Record<string, unknown>
  /** The receiver's status; `failed` without one. */
  result: number | 'failed'
  seconds: number
}

interface HookAlert {
  alert_status: 'executable' | 'temporarily_disabled' | 'disabled'
  disabled_until: string | null
}

const keptOfEach = 100
// The 4th failure in a row disables for a minute, doubled each time, the 40th for good.
const failuresThatDisable = 4
const failuresForGood = 40
const firstPauseMs = 60_000
const longestPauseMs = 24 * 60 * 60_000

export type HookLog = ReturnType<typeof createHookLog>

/** `disables`: hooks that keep failing are disabled, as on shared installations. */
export function createHookLog({ disables, now = Date.now }: { disables: boolean; now?: () => number }) {
  const logs = new Map<number, { entries: HookLogEntry[]; failures: number; disabledUntil: number }>()
  let last = 0

  return {
    add(hook: number, { flag, ...entry }: Omit<HookLogEntry, 'id' | 'trigger'> & { flag: string }): void {
      const log = logs.get(hook) ?? { entries: [], failures: 0, disabledUntil: 0 }
      last += 1
      log.entries = [{ id: last, trigger: triggerOf(flag), ...entry }, ...log.entries].slice(0, keptOfEach)
      const isGood = entry.result !== 'failed' && entry.result >= 200 && entry.result < 400
      log.failures = isGood ? 0 : log.failures + 1
      const over = log.failures - failuresThatDisable
      log.disabledUntil = over < 0 ? 0 : now() + Math.min(firstPauseMs * 2 ** over, longestPauseMs)
      logs.set(hook, log)
    },
    of: (hook: number): readonly HookLogEntry[] => logs.get(hook)?.entries ?? [],
    health(hook: number): HookAlert {
      const { failures, disabledUntil } = logs.get(hook) ?? { failures: 0, disabledUntil: 0 }
      if (disables && failures >= failuresForGood) return { alert_status: 'disabled', disabled_until: null }
      if (!disables || disabledUntil <= now()) return { alert_status: 'executable', disabled_until: null }
      return { alert_status: 'temporarily_disabled', disabled_until: new Date(disabledUntil).toISOString() }
    },
    forget: (hook: number) => void logs.delete(hook),
  }
}

/** `merge_requests_events` → `merge_request_hooks`. */
function triggerOf(flag: string) {
  return flag.replace(/s?_events$/, '_hooks')
}
