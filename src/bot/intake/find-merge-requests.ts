// Finds the merge requests of an event: the one it names, or those that are known of a branch; or its issue.

import type { KnownMergeRequest } from '../../journal/tables/merge-requests.ts'
import type { Journal } from '../../journal/types.ts'
import { issueRef } from '../../rules/facts/definition/subject-ref.ts'
import type { MergeRequestOrigin, MergeRequestRef } from '../../rules/types.ts'
import type { Concern } from './events/concern.ts'

/**
 * Merge requests that are not known yet are left out: opening one is an event of its own, and the sweep finds those from
 * before Bellhop. `origin`: as the delivery says. Throws JournalUnavailable.
 */
export async function findMergeRequests(
  { mergeRequests }: Journal,
  concern: Concern,
  origin?: MergeRequestOrigin,
): Promise<KnownMergeRequest[]> {
  switch (concern.about) {
    case 'none':
      return []
    case 'branch':
      return mergeRequests.known({ project: concern.project, branch: concern.branch })
    case 'issue':
      return [await one(mergeRequests, issueRef(concern.project, concern.iid))]
    case 'merge request':
      return [await one(mergeRequests, { project: concern.project, iid: concern.iid }, origin)]
  }
}

async function one(
  mergeRequests: Journal['mergeRequests'],
  ref: MergeRequestRef,
  origin?: MergeRequestOrigin,
): Promise<KnownMergeRequest> {
  const [known] = await mergeRequests.known(ref)
  return { ref, keeps: false, queueTargets: [], ...known, origin: known?.origin ?? origin }
}
