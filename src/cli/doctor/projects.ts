// The projects that are named: what the bot may do there, and how its hook is.
import type { Client } from '../../client/create-client.ts'
import { ServiceError } from '../../client/errors.ts'
import { count } from '../../rules/wording.ts'
import { forEachProject, type Outcome, type ProjectOutcome } from '../hooks/in-parallel.ts'
import type { InstallOptions } from '../hooks/install.ts'
import { statusOf } from '../hooks/status.ts'
import type { TargetProject } from '../hooks/targets.ts'
import { type Finding, fail, ok, warn } from './finding.ts'

const work = { atOnce: 8, onDone: () => {} }
const developer = 30
const maintainer = 40

/** The bot's role on each project; a line for each where it does not suffice. Throws what is no ServiceError. */
export async function examineRoles(client: Client, projects: readonly TargetProject[], me: number): Promise<Finding[]> {
  const task = async ({ id }: TargetProject): Promise<Outcome> => ({ result: String(await levelOn(client, id, me)), details: [] })
  const { outcomes } = await forEachProject(projects, task, work)
  return summed('role', outcomes, 'Maintainer or above', ({ path, result, details }) => {
    const level = Number(result)
    if (Number.isNaN(level)) return fail('role', `${path}: ${details.join('; ')}`, 'Make the bot a member.')
    if (level >= maintainer) return undefined
    if (level < developer)
      return fail(
        'role',
        `${path}: the bot is no Developer.`,
        'Make it a member: Developer to label and approve, Maintainer to merge and to make hooks.',
      )
    return warn(
      'role',
      `${path}: the bot is Developer.`,
      'Make it Maintainer where it is to merge into protected branches, or to make its own hooks.',
    )
  })
}

/** The hook of each project, with what became of its last delivery. */
export async function examineHooks(
  options: Pick<InstallOptions, 'client' | 'place' | 'eventsFor'>,
  projects: readonly TargetProject[],
): Promise<Finding[]> {
  const { outcomes } = await forEachProject(projects, (project) => statusOf(options, project), work)
  return summed('hook', outcomes, 'as it should be', ({ path, result, details, bad }) => {
    if (bad !== true) return undefined
    const says = `${path}: ${[result, ...details].join(': ')}`
    return result === 'wrong'
      ? warn('hook', says, 'bellhop hooks install mends it.')
      : fail(
          'hook',
          says,
          result === 'failed'
            ? 'Mend what the service says, and try again: bellhop hooks status asks for the hooks alone.'
            : 'bellhop hooks install makes and mends hooks; bellhop hooks status shows them.',
        )
  })
}

/** Those that are well are told by their number alone. */
function summed(
  check: string,
  outcomes: readonly ProjectOutcome[],
  well: string,
  judge: (outcome: ProjectOutcome) => Finding | undefined,
): Finding[] {
  const found = outcomes.flatMap((each) => judge(each) ?? [])
  const fine = outcomes.length - found.length
  return fine === 0 ? found : [ok(check, `${count(fine, 'project')}: ${well}.`), ...found]
}

/** 0 for who is no member. */
async function levelOn(client: Client, id: number, user_id: number): Promise<number> {
  try {
    return (await client.projects.members.get({ id, user_id })).body.access_level ?? 0
  } catch (error) {
    if (error instanceof ServiceError && error.status === 404) return 0
    throw error
  }
}
