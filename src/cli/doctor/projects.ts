// Checks the bot's role and hook in the named projects.
import { ifNotFound } from '../../bot/service/retry-policy.ts'
import type { Client } from '../../client/create-client.ts'
import { words } from '../../rules/explain/explain.ts'
import { count } from '../../rules/language/values/wording.ts'
import { type InstallOptions, statusOf } from '../hooks/install.ts'
import { forEachProject, type HookOutcome, type ProjectOutcome, type TargetProject } from '../hooks/targets.ts'
import { type Finding, findingsOf } from './finding.ts'

const [role, hook] = [findingsOf('role'), findingsOf('hook')]

const work = { atOnce: 8, onDone: () => {} }
const developer = 30
const maintainer = 40

/** A finding for each project in which the role does not suffice. Throws what is no ServiceError. */
export async function examineRoles(client: Client, projects: readonly TargetProject[], me: number): Promise<Finding[]> {
  const task = async ({ id }: TargetProject): Promise<HookOutcome> => ({
    result: String(await levelOn(client, id, me)),
    details: [],
  })
  const { outcomes } = await forEachProject(projects, task, work)
  return summed(role, outcomes, 'Maintainer or above', ({ path, result, details }) => {
    const level = Number(result)
    if (Number.isNaN(level)) return role.fail(`${path}: ${details.join('; ')}`, 'Make the bot a member.')
    if (level >= maintainer) return undefined
    if (level < developer)
      return role.fail(
        `${path}: the bot is below Developer.`,
        'Make it Developer to label and approve, Maintainer to merge and to install hooks.',
      )
    return role.warn(
      `${path}: the bot is Developer.`,
      'Make it Maintainer to merge into protected branches or to install hooks.',
    )
  })
}

export async function examineHooks(
  options: Pick<InstallOptions, 'client' | 'place' | 'eventsFor'>,
  projects: readonly TargetProject[],
): Promise<Finding[]> {
  const { outcomes } = await forEachProject(projects, (project) => statusOf(options, project), work)
  return summed(hook, outcomes, 'up to date', ({ path, result, details, bad }) => {
    if (bad !== true) return undefined
    const message = `${path}: ${words(result)}${details.length === 0 ? '' : `: ${details.join('; ')}`}`
    if (result === 'wrong') return hook.warn(message, 'Run bellhop hooks install.')
    const first = result === 'failed' ? 'Fix what the service reports, then run' : 'Run bellhop hooks install, then'
    return hook.fail(message, `${first} bellhop hooks status.`)
  })
}

/** Projects without a finding are only counted. */
function summed(
  check: ReturnType<typeof findingsOf>,
  outcomes: readonly ProjectOutcome[],
  well: string,
  findingOf: (outcome: ProjectOutcome) => Finding | undefined,
): Finding[] {
  const found = outcomes.flatMap((each) => findingOf(each) ?? [])
  const fine = outcomes.length - found.length
  return fine === 0 ? found : [check.ok(`${count(fine, 'project')}: ${well}.`), ...found]
}

/** The bot's access level; 0 if it is no member. Throws ServiceError. */
export async function levelOn(client: Client, id: number, user_id: number): Promise<number> {
  const found = await client.projects.members.get({ id, user_id }).catch(ifNotFound(undefined))
  return found?.body.access_level ?? 0
}
