// What the rules say about one merge request at this moment: reads and decides as the bot does, and sends nothing.
import { judge } from '../../bot/observe.ts'
import { emptyMemory } from '../../rules/remember.ts'
import type { Decision, ProjectPolicy, RuleFileInForce } from '../../rules/types.ts'
import { UserError } from '../user-error.ts'
import type { Connection } from './connect.ts'
import { occurrencesOf, type Suppositions } from './suppositions.ts'

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
}

const unknown = [
  'What Bellhop did before is not known here: what is done once for as long as a rule holds is shown as if the rule became true just now.',
  'Who pushed is not known here, nor which events wait, what is left of the brake, and whether merge requests have pipelines of their own: a running bot knows.',
]

/** Judges it with an empty memory. Throws what the client throws, and UserError where there is no such merge request. */
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
}: ExplainOptions): Promise<Explained> {
  const at = suppositions.now ?? new Date(now()).toISOString()
  const user = (await client.users.current({})).body
  if (user.id === undefined || user.username === undefined)
    throw new UserError('The service does not say whose token this is.', { exitCode: 1 })
  const bot = { id: user.id, username: user.username }
  const mr = (await client.mergeRequests.get({ id: project, merge_request_iid: iid })).body
  const { decision } = await judge(
    client,
    {
      files,
      ...(policy === undefined ? {} : { policy }),
      mergeRequest: { service, project, iid },
      memory: emptyMemory(),
      ...(await occurrencesOf(suppositions, { client, bot, at, project, iid })),
      now: at,
      bot,
      offLabel,
      project: { mergeRequestPipelines: false },
    },
    async (input) => input,
  )
  return {
    mergeRequest: { project, iid, title: mr.title ?? '', state: mr.state ?? 'unknown', url: mr.web_url ?? null },
    decision,
    unknown,
  }
}
