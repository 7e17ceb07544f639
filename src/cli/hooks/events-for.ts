// The events that a project's hook must send for the rules in force.
import type { Client } from '../../client/create-client.ts'
import { ServiceError } from '../../client/errors.ts'
import { ruleSet } from '../../rules/engine/conditions/rules-in-force.ts'
import { fitsProject } from '../../rules/language/patterns/project-patterns.ts'
import type { Mode } from '../../rules/types.ts'
import { operatorRules, readRulesOf } from '../explain/rules-for.ts'
import { allEvents, type EventFlags, neededEvents } from './needed-events.ts'
import type { TargetProject } from './targets.ts'

/** All events that Bellhop reads where a file is unreadable or broken. Throws UserError for the operator's files. */
export async function eventsByRules(
  client: Client,
  where: { service: string; folder: string; mode: Mode },
): Promise<(project: TargetProject) => Promise<EventFlags>> {
  const operator = await operatorRules(where.folder)
  const rulesOf = readRulesOf(client, { ...where, ...operator })
  const includedFrom = operator.entries.flatMap((entry) => entry.includeFrom ?? [])
  return async ({ id, path }) => {
    try {
      const { files, problems, policy } = await rulesOf(id)
      if (problems.length > 0) return allEvents
      return neededEvents(ruleSet(files, policy).rules, { includedFrom: fitsProject(includedFrom, path) })
    } catch (error) {
      // A user who may not read files may still manage hooks.
      if (error instanceof ServiceError && (error.status === 403 || error.status === 404)) return allEvents
      throw error
    }
  }
}
