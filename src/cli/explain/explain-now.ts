// Evaluates the rules for one merge request, issue or project now; sends nothing.
import { overrideOccurrences, UnknownOverrideUser } from '../../bot/evaluation/dry-run.ts'
import { decideWithFacts } from '../../bot/evaluation/fetch-facts.ts'
import { issueName } from '../../bot/reporting/names.ts'
import type { Client } from '../../client/create-client.ts'
import { ServiceError } from '../../client/errors.ts'
import { emptyMemory } from '../../rules/engine/update-memory.ts'
import { innerIid, isProject, type NamedRef, refName, type ShownRef } from '../../rules/facts/definition/subject-ref.ts'
import type { Overrides } from '../../rules/testing/overrides.ts'
import type { Decision, ProjectPolicy, RuleFileInForce } from '../../rules/types.ts'
import type { memoryAndPast } from '../admin/admin-client.ts'
import { UsageError, UserError } from '../user-error.ts'

/** An issue has its own number, and `subject`. */
interface Subject extends ShownRef {
  project: number
  path?: string
  title: string
  state: string
  url: string | null
}

export interface Explanation {
  mergeRequest: Subject
  decision: Decision
  /** What is unknown here, a sentence each. */
  unknown: string[]
}

interface ExplainOptions {
  client: Client
  project: number
  path?: string
  iid: number
  subject?: 'issue'
  files: RuleFileInForce[]
  policy?: ProjectPolicy
  overrides: Overrides
  offLabel: string
  memoryOf?: ReturnType<typeof memoryAndPast>['memoryOf']
}

const unknown = [
  'Earlier actions are unknown here: one-way actions are shown as if their rule became true now.',
  'Also unknown: who pushed, pending events, the new-rule limit, and whether merge requests have pipelines of their own. A running bot knows (--bellhop).',
]
const unknownOfIssue = [
  'Earlier actions, pending events and the new-rule limit are unknown here: one-way actions are shown as if their rule became true now. A running bot knows (--bellhop).',
]
const unknownToAll = ['The rest of the new-rule limit is unknown here.']

/** Uses the running bot's memory, or an empty one; iid 0 is the project itself. Throws ServiceError and UserError. */
export async function explainNow(options: ExplainOptions): Promise<Explanation> {
  const { client, project, path, subject, overrides, files, policy, offLabel } = options
  const at = overrides.now ?? new Date().toISOString()
  const user = (await client.users.current({})).body
  if (user.id === undefined || user.username === undefined)
    throw new UserError('The service does not report the user of this token.')
  const bot = { id: user.id, username: user.username }
  const iid = innerIid(options)
  const { source, ...mergeRequest } = await subjectNamed(client, { project, iid: options.iid, subject, path })
  const remembered = await options.memoryOf?.({ project, iid: options.iid, subject, ...source })
  const memory = remembered?.memory ?? emptyMemory()
  const overridden = await overrideOccurrences(overrides, { client, bot, at, project, iid }).catch((cause: unknown) => {
    if (!(cause instanceof UnknownOverrideUser)) throw cause
    throw new UsageError(`--what-if event: ${cause.message}`, { cause })
  })
  const { decision } = await decideWithFacts(client, {
    files,
    policy,
    mergeRequest: { project, iid },
    memory,
    queueEntry: remembered?.queueEntry,
    ...overridden,
    events: [...(remembered?.events ?? []), ...overridden.events],
    now: at,
    bot,
    offLabel,
    project: { mergeRequestPipelines: remembered?.mergeRequestPipelines ?? false },
  })
  return {
    mergeRequest: { ...mergeRequest, path },
    decision,
    unknown: remembered !== undefined ? unknownToAll : subject === 'issue' ? unknownOfIssue : unknown,
  }
}

/** `source`: the branch whose pushes count. */
async function subjectNamed(
  client: Client,
  ref: NamedRef & { iid: number },
): Promise<Subject & { source?: { sourceProject?: number; sourceBranch?: string } }> {
  const { project, iid, subject } = ref
  if (isProject({ iid })) {
    const { path_with_namespace: path, web_url: url } = (await client.projects.get({ id: project })).body
    return { project, iid, title: path ?? '', state: 'project', url: url ?? null }
  }
  const unseen = (cause: unknown) => {
    if (!(cause instanceof ServiceError) || cause.status !== 404) throw cause
    const what = subject === 'issue' ? 'issue' : 'merge request'
    throw new UserError(`There is no ${what} ${refName(ref)} that the token’s user can see.`, { cause })
  }
  if (subject === 'issue') {
    const { body } = await client.issues.get({ id: project, issue_iid: iid }).catch(unseen)
    const { state = 'unknown', web_url: url = null } = body
    const { title = '' } = issueName({ title: body.title, url, confidential: body.confidential }) ?? {}
    return { project, iid, subject, title, state, url }
  }
  const { body: mr } = await client.mergeRequests.get({ id: project, merge_request_iid: iid }).catch(unseen)
  const source = { sourceProject: mr.source_project_id ?? undefined, sourceBranch: mr.source_branch }
  return { project, iid, title: mr.title ?? '', state: mr.state ?? 'unknown', url: mr.web_url ?? null, source }
}
