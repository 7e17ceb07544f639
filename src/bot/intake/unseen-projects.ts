// Deliveries of projects that the bot's user cannot see, as group and system hooks send them: logged once an hour.
import { LRUCache } from 'lru-cache'
import { refName } from '../../rules/facts/definition/subject-ref.ts'
import type { Context } from '../context.ts'

const loggedAgainAfterMs = 60 * 60_000
const mostProjects = 10_000

export function createUnseenProjects({ log, now }: Context) {
  const loggedAt = new LRUCache<string, number>({ max: mostProjects })
  /** Logs that the project cannot be seen, at most once an hour. Returns what the delivery's record says. */
  return ({ project = 0, path }: { project?: number; path?: string }, detail: string): string => {
    const name = refName({ project, path })
    const reason = `Bellhop’s user cannot see ${name}: ${detail}`
    const last = loggedAt.get(name)
    if (last === undefined || now() - last >= loggedAgainAfterMs) {
      loggedAt.set(name, now())
      log.warn({ event: 'project_not_visible', project: name }, reason)
    }
    return reason
  }
}
