// Evaluates the rules for one merge request now; sends nothing.
import { decideWithFacts } from '../../bot/evaluation/fetch-facts.ts'
import { overrideOccurrences, UnknownOverrideUser } from '../../bot/evaluation/override-events.ts'
import { ServiceError } from '../../client/errors.ts'
import { emptyMemory } from '../../rules/engine/update-memory.ts'
import { type NamedRef, refName } from '../../rules/explain/ref-name.ts'
import { isProject } from '../../rules/facts/definition/subject-ref.ts'
import type { Overrides } from '../../rules/testing/overrides.ts'
import type { Decision, ProjectPolicy, RuleFileInForce } from '../../rules/types.ts'
import type { AskMemory, MemorySubject } from '../admin/running-bot.ts'
import type { Connection } from '../services/connect.ts'
import { UsageError, UserError } from '../user-error.ts'

export interface Explanation {
  mergeRequest: { project: number; iid: number; path?: string; title: string; state: string; url: string | null }
  decision: Decision
  /** What is unknown here, a sentence each. */
  unknown: string[]
}

export interface ExplainOptions extends Connection {
  project: number
  path?: string | undefined
  iid: number
  files: RuleFileInForce[]
  policy?: ProjectPolicy
  overrides: Overrides
  offLabel: string
  now: () => number
  memoryOf?: AskMemory | undefined
}

const unknown = [
  'Earlier actions are unknown here: one-way actions are shown as if their rule became true now.',
  'Also unknown: who pushed, pending events, the new-rule limit, and whether merge requests have pipelines of their own. A running bot knows (--bellhop).',
]
const unknownToAll = ['The rest of the new-rule limit is unknown here.']

/** With the running bot's memory, or an empty one; iid 0 is the project itself. Throws ServiceError and UserError. */
export async function explainNow({
  client,
  service,
  project,
  path,
  iid,
  files,
  policy,
  overrides,
  offLabel,
  now,
  memoryOf,
}: ExplainOptions): Promise<Explanation> {
  const at = overrides.now ?? new Date(now()).toISOString()
  const user = (await client.users.current({})).body
  if (user.id === undefined || user.username === undefined)
    throw new UserError('The service does not report the user of this token.')
  const bot = { id: user.id, username: user.username }
  const { mergeRequest, of } = await subjectOf(client, { project, iid, path })
  const remembered = await memoryOf?.(of)
  const memory = remembered?.memory ?? emptyMemory()
  const overridden = await overrideOccurrences(overrides, { client, bot, at, project, iid }).catch((cause: unknown) => {
    if (!(cause instanceof UnknownOverrideUser)) throw cause
    throw new UsageError(`--what-if event: ${cause.message}`, { cause })
  })
  const { decision } = await decideWithFacts(
    client,
    {
      files,
      ...(policy === undefined ? {} : { policy }),
      mergeRequest: { service, project, iid },
      memory,
      ...(remembered?.queueEntry === undefined ? {} : { queueEntry: remembered.queueEntry }),
      ...overridden,
      events: [...(remembered?.events ?? []), ...overridden.events],
      now: at,
      bot,
      offLabel,
      project: { mergeRequestPipelines: remembered?.mergeRequestPipelines ?? false },
    },
    async (input) => input,
  )
  return {
    mergeRequest: { ...mergeRequest, ...(path === undefined ? {} : { path }) },
    decision,
    unknown: remembered === undefined ? unknown : unknownToAll,
  }
}

async function subjectOf(
  client: Connection['client'],
  { project, iid, path: projectPath }: NamedRef & { iid: number },
): Promise<{ mergeRequest: Explanation['mergeRequest']; of: MemorySubject }> {
  if (isProject({ iid })) {
    const { path_with_namespace: path, web_url: url } = (await client.projects.get({ id: project })).body
    return {
      mergeRequest: { project, iid, title: path ?? '', state: 'project', url: url ?? null },
      of: { project, iid },
    }
  }
  const found = await client.mergeRequests.get({ id: project, merge_request_iid: iid }).catch((cause: unknown) => {
    if (!(cause instanceof ServiceError) || cause.status !== 404) throw cause
    const name = refName({ project, iid, path: projectPath })
    throw new UserError(`There is no merge request ${name} that the token’s user can see.`, { cause })
  })
  const mr = found.body
  return {
    mergeRequest: { project, iid, title: mr.title ?? '', state: mr.state ?? 'unknown', url: mr.web_url ?? null },
    of: { project, iid, sourceProject: mr.source_project_id ?? undefined, sourceBranch: mr.source_branch },
  }
}
