// Deliveries of projects that the bot's user cannot see, as group and system hooks send them: logged once an hour.
import { LRUCache } from 'lru-cache'
import { refName } from '../../rules/facts/definition/subject-ref.ts'
import type { Context } from '../context.ts'

const loggedAgainAfterMs = 60 * 60_000
const mostProjects = 10_000

/** Logs that the project cannot be seen, unless it did so within the hour. Returns what the delivery's record says. */
export type ReportUnseen = (
  project: { project?: number | undefined; path?: string | undefined },
  detail: string,
) => string

export function createUnseenProjects({ log, now }: Context): ReportUnseen {
  const loggedAt = new LRUCache<string, number>({ max: mostProjects })
  return ({ project, path }, detail) => {
    const name = refName({ project: project ?? 0, path })
    const reason = `Bellhop’s user cannot see ${name}: ${detail}`
    const last = loggedAt.get(name)
    if (last === undefined || now() - last >= loggedAgainAfterMs) {
      loggedAt.set(name, now())
      log.warn({ event: 'project_not_visible', project: name }, reason)
    }
    return reason
  }
}
