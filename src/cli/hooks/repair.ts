// The hooks that the running bot repairs itself: a project's hook gets the events that changed rules need.
import type { OwnHooks } from '../../bot/context.ts'
import { hookCalls, hookUrl, shownAs } from './desired-hook.ts'
import { type Hooks, ourHooks } from './install.ts'
import { type EventFlag, eventFlags, eventsInForce } from './needed-events.ts'

/** `includeFrom`: the projects that files may be included from. */
export function ownHooks({ client, place, includeFrom }: Hooks & { includeFrom: readonly string[] }): OwnHooks {
  const needed: OwnHooks['needed'] = (rules, path) => {
    const events = eventsInForce(rules, includeFrom, path)
    return eventFlags.filter((flag) => events[flag])
  }
  return {
    needed,
    async repair({ id, path }, rules) {
      const calls = hookCalls(client, { id })
      const [hook] = await ourHooks(calls, { url: hookUrl(place, id) }, place)
      const missing = (needed(rules, path) as EventFlag[]).filter((flag) => hook?.[shownAs(flag)] === false)
      if (hook?.id === undefined || hook.url === undefined || missing.length === 0) return []
      await calls.update(hook.id, { url: hook.url, ...Object.fromEntries(missing.map((flag) => [flag, true])) })
      return missing
    },
  }
}
