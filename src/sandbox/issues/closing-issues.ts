// The issues that a merge closes, named in title, description and commits.
import { canSeeProject } from '../access/access.ts'
import { commitsBetween } from '../git/read-commits.ts'
import { baseOf } from '../merge-requests/status.ts'
import type { IssueRecord, MergeRequest, User } from '../records/records.ts'
import { projectById, type World } from '../storage/world.ts'
import { type ClosingReference, closingReferences, projectNamed } from './closing-references.ts'
import { canEditIssue, canSeeIssue } from './find.ts'
import { updateIssue } from './update.ts'

/** Issues that the user may see, in order of mention; only for merges into the default branch. */
export async function closingIssues(world: World, mr: MergeRequest, user: User): Promise<IssueRecord[]> {
  const references = await referencesOf(world, mr)
  return [...new Set(references.flatMap((reference) => issueAt(world, mr, reference, user) ?? []))]
}

/** Closes the issues that the merging user may edit. */
export async function closeIssuesOf(world: World, mr: MergeRequest, user: User): Promise<void> {
  for (const issue of await closingIssues(world, mr, user)) {
    const project = projectById(world, issue.project_id)
    if (canEditIssue(world, user, project, issue) && !project.archived)
      updateIssue(world, issue, user, { state: 'closed' })
  }
}

async function referencesOf(world: World, mr: MergeRequest): Promise<ClosingReference[]> {
  if (mr.target_branch !== projectById(world, mr.project_id).default_branch) return []
  const commits = await commitsBetween(world, mr.project_id, await baseOf(world, mr), mr.sha)
  const texts = [mr.title, mr.description, ...commits.map((commit) => commit.message)]
  return texts.flatMap((text) => closingReferences(text, world.url))
}

function issueAt(world: World, mr: MergeRequest, { path, iid }: ClosingReference, user: User): IssueRecord | undefined {
  const project = projectNamed(world, mr, path)
  if (project === undefined || !project.issues_enabled || !canSeeProject(world, user, project)) return undefined
  const issue = world.issues.first('iid', `${project.id}:${iid}`)
  return issue !== undefined && canSeeIssue(world, user, project, issue) ? issue : undefined
}
