// What the rules say about one merge request at this moment: reads and decides as the bot does, and sends nothing.
import { judge } from '../../bot/observe.ts'
import { occurrencesOf, UnknownSupposedUser } from '../../bot/supposed-events.ts'
import { isProject } from '../../rules/project-ref.ts'
import { emptyMemory } from '../../rules/remember.ts'
import type { Suppositions } from '../../rules/suppositions.ts'
import type { Decision, ProjectPolicy, RuleFileInForce } from '../../rules/types.ts'
import { UserError } from '../user-error.ts'
import type { Connection } from './connect.ts'
import type { AskMemory, Remembered } from './running-bot.ts'

export interface Explained {
  mergeRequest: { project: number; iid: number; title: string; state: string; url: string | null }
  decision: Decision
  /** What this machine cannot know, a sentence each. */
  unknown: string[]
}

export interface ExplainOptions extends Connection {
  project: number
  iid: number
  files: RuleFileInForce[]
  policy?: ProjectPolicy
  suppositions: Suppositions
  offLabel: string
  now: () => number
  /** Asks a running bot. */
  memoryOf?: AskMemory | undefined
}

const unknown = [
  'What Bellhop did before is not known here: what is done once for as long as a rule holds is shown as if the rule became true just now.',
  'Who pushed is not known here, nor which events wait, what is left of the brake, and whether merge requests have pipelines of their own: a running bot knows (--bellhop).',
]
const unknownToAll = ['What is left of the brake is not known here.']

/** Judges it, with what the running bot remembers or with an empty memory; the iid 0 is the project itself. Throws what the client throws, and UserError. */
export async function explainNow({
  client,
  service,
  project,
  iid,
  files,
  policy,
  suppositions,
  offLabel,
  now,
  memoryOf,
}: ExplainOptions): Promise<Explained> {
  const at = suppositions.now ?? new Date(now()).toISOString()
  const user = (await client.users.current({})).body
  if (user.id === undefined || user.username === undefined)
    throw new UserError('The service does not say whose token this is.', { exitCode: 1 })
  const bot = { id: user.id, username: user.username }
  const { mergeRequest, of } = await subjectOf(client, project, iid)
  const remembered = await memoryOf?.(of)
  const memory = remembered?.memory ?? emptyMemory()
  const supposed = await occurrencesOf(suppositions, { client, bot, at, project, iid }).catch((cause: unknown) => {
    if (!(cause instanceof UnknownSupposedUser)) throw cause
    throw new UserError(`--suppose event: ${cause.message}`, { exitCode: 2, cause })
  })
  const { decision } = await judge(
    client,
    {
      files,
      ...(policy === undefined ? {} : { policy }),
      mergeRequest: { service, project, iid },
      memory,
      ...supposed,
      events: [...(remembered?.events ?? []), ...supposed.events],
      now: at,
      bot,
      offLabel,
      project: { mergeRequestPipelines: remembered?.mergeRequestPipelines ?? false },
    },
    async (input) => input,
  )
  return { mergeRequest, decision, unknown: remembered === undefined ? unknown : unknownToAll }
}

/** What is explained, and by what the running bot remembers it. */
async function subjectOf(
  client: Connection['client'],
  project: number,
  iid: number,
): Promise<{ mergeRequest: Explained['mergeRequest']; of: Remembered }> {
  if (isProject({ iid })) {
    const { path_with_namespace: path, web_url: url } = (await client.projects.get({ id: project })).body
    return { mergeRequest: { project, iid, title: path ?? '', state: 'project', url: url ?? null }, of: { project, iid } }
  }
  const mr = (await client.mergeRequests.get({ id: project, merge_request_iid: iid })).body
  return {
    mergeRequest: { project, iid, title: mr.title ?? '', state: mr.state ?? 'unknown', url: mr.web_url ?? null },
    of: { project, iid, sourceProject: mr.source_project_id ?? undefined, sourceBranch: mr.source_branch },
  }
}
