// Finds the merge requests of an event: the one it names, or those of a branch; or its issue.
import type { LimitFunction } from 'p-limit'
import type { Client } from '../../client/create-client.ts'
import type { Journal } from '../../journal/types.ts'
import { isQueueBranch } from '../../merge-queue/queue-branches.ts'
import { issueRef } from '../../rules/facts/definition/subject-ref.ts'
import { stableFacts } from '../../rules/facts/reading/stable-facts.ts'
import type { MergeRequestRef, StableFacts } from '../../rules/types.ts'
import { mergeRequestKey } from '../evaluation/merge-request-job.ts'
import type { Concern } from './events/concern.ts'

interface FindOptions {
  client: Client
  journal: Pick<Journal, 'marks'>
  limitConcurrency: LimitFunction
}

/** `at`: when the event was received. `stable`: facts of the merge request that it names. `isReplay`: by a person. */
interface Stated {
  at: string
  stable?: StableFacts | undefined
  isReplay?: true | undefined
}

const maxPages = 5
// Merge requests that were opened since have events of their own; in case one is lost, a list this old is read again.
const listTrustedForMs = 60 * 60_000
const mostRemembered = 50

/** The merge requests that events or a list named for a source branch. */
interface BranchRequests {
  requests: MergeRequestRef[]
  /** ISO 8601; absent while there may be others. */
  listedAt?: string
}

const branchMark = (branch: string) => `branch ${branch}`

/** With the stable facts that the delivery or the service states. */
export interface FoundMergeRequest {
  ref: MergeRequestRef
  stable: StableFacts | undefined
}

type Listed = FoundMergeRequest & { sha?: string | null | undefined }
type OfBranch = Extract<Concern, { about: 'branch' }>

/** For a branch: its open merge requests, listed once and then remembered. Throws what client and journal throw. */
export async function findMergeRequests(
  options: FindOptions,
  concern: Concern,
  stated: Stated,
): Promise<FoundMergeRequest[]> {
  if (concern.about === 'none') return []
  if (concern.about === 'branch') return options.limitConcurrency(() => findByBranch(options, concern, stated))
  if (concern.about === 'issue') return [{ ref: issueRef(concern.project, concern.iid), stable: undefined }]
  const ref = { project: concern.project, iid: concern.iid }
  const { stable } = stated
  const branch = stable?.source_branch
  if (typeof branch === 'string') await remember(options, { project: concern.project, branch }, [ref])
  return [{ ref, stable }]
}

async function findByBranch(
  options: FindOptions,
  concern: OfBranch,
  { at, isReplay }: Stated,
): Promise<FoundMergeRequest[]> {
  const { journal } = options
  const { project, branch, sha, isNew } = concern
  const known = await journal.marks.read<BranchRequests>(project, branchMark(branch))
  const age = known?.listedAt === undefined ? Number.NaN : Date.parse(at) - Date.parse(known.listedAt)
  const remembered = (known?.requests ?? []).map((each) => ({ ref: each, stable: undefined }))
  if (age < listTrustedForMs && isReplay !== true) return remembered
  // A merge request of a new branch was opened later, so its own event names it. Merge queues need none.
  const needsNone = isNew === true || isQueueBranch(branch)
  const listed: Listed[] = needsNone && isReplay !== true ? remembered : await list(options, concern)
  const refs = listed.map(({ ref }) => ref)
  await remember(options, concern, refs, at)
  return listed.filter((each) => sha === undefined || each.sha === undefined || each.sha === sha)
}

async function list({ client }: FindOptions, { project, branch }: OfBranch): Promise<Listed[]> {
  const found: Listed[] = []
  const params = { id: project, state: 'opened', source_branch: branch } as const
  for await (const page of client.pages(client.mergeRequests.list, params, { maxPages })) {
    for (const each of page.body) {
      // A service may ignore the filter `source_branch` and list all.
      if (
        each.iid === undefined ||
        each.source_branch !== branch ||
        (each.state !== 'opened' && each.state !== 'reopened')
      )
        continue
      const ref = { project: each.target_project_id ?? project, iid: each.iid }
      found.push({ ref, stable: stableFacts(each), sha: each.sha })
    }
  }
  return found
}

/** Adds to what is remembered of a branch. `listedAt`: these are all. */
async function remember(
  { journal }: FindOptions,
  { project, branch }: Pick<OfBranch, 'project' | 'branch'>,
  refs: readonly MergeRequestRef[],
  listedAt?: string,
): Promise<void> {
  const to = (before: BranchRequests | undefined): BranchRequests | undefined => {
    const known = before?.requests ?? []
    const keys = new Set(known.map(mergeRequestKey))
    const added = refs
      .filter((each) => !keys.has(mergeRequestKey(each)))
      .map(({ project: of, iid }) => ({ project: of, iid }))
    if (added.length === 0 && listedAt === undefined) return undefined
    const requests = [...known, ...added]
    // Too many to remember: the next event lists them.
    if (requests.length > mostRemembered) return { requests: [] }
    return { ...before, requests, ...(listedAt === undefined ? {} : { listedAt }) }
  }
  await journal.marks.change(project, branchMark(branch), to, listTrustedForMs)
}
