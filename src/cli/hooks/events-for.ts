// The events that a project's hook must send, by the rules that are in force for the project now.
import type { Client } from '../../client/create-client.ts'
import { ServiceError } from '../../client/errors.ts'
import { fitsProject } from '../../rules/project-patterns.ts'
import { ruleSet } from '../../rules/rules-in-force.ts'
import type { Mode } from '../../rules/types.ts'
import { operatorRules, readRulesOf } from '../explain/rules-for.ts'
import { allEvents, type EventFlags, neededEvents } from './needed-events.ts'
import type { TargetProject } from './targets.ts'

/** In doubt (a file that cannot be read, or is broken, so that an older one is in force) it is everything that Bellhop reads. Throws UserError for the operator's own files. */
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
      // Whoever may not read the files may still be allowed to make hooks.
      if (error instanceof ServiceError && (error.status === 403 || error.status === 404)) return allEvents
      throw error
    }
  }
}
