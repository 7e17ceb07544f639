// The events that a project's hook must send for the rules in force.
import type { Client } from '../../client/create-client.ts'
import { ServiceError } from '../../client/errors.ts'
import type { Mode } from '../../rules/types.ts'
import { operatorRules, readRulesOf } from '../explain/rules-for.ts'
import { allEvents, type EventFlags, eventsInForce } from './needed-events.ts'
import type { TargetProject } from './targets.ts'

/** All events that Bellhop reads if a file is unreadable or broken. Throws UserError for the operator's files. */
export async function eventsByRules(
  client: Client,
  where: { folder: string; mode: Mode },
): Promise<(project: TargetProject) => Promise<EventFlags>> {
  const operator = await operatorRules(where.folder)
  const rulesOf = readRulesOf(client, { ...where, ...operator })
  const includeFrom = operator.entries.flatMap((entry) => entry.includeFrom ?? [])
  return async ({ id, path }) => {
    try {
      return eventsInForce(await rulesOf(id), includeFrom, path)
    } catch (error) {
      // A user who may not read files may still manage hooks.
      if (error instanceof ServiceError && (error.status === 403 || error.status === 404)) return allEvents
      throw error
    }
  }
}
