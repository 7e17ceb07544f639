// The details of an issue that planners set; invalid values are ignored, as in GitLab.
import type { CheckedParams } from '../../api/endpoint.ts'
import type { Api } from '../../api/index.ts'
import { canSeeProject } from '../access/access.ts'
import { isDate } from '../access/expiry.ts'
import { invalid } from '../http/error-response.ts'
import { isPremium } from '../installation.ts'
import { labelsAfter } from '../merge-requests/labels.ts'
import { milestoneFor, readAssignees } from '../merge-requests/preconditions.ts'
import { pick } from '../records/fields.ts'
import type { IssueRecord, Project } from '../records/records.ts'
import type { World } from '../storage/world.ts'
import type { IssuePatch } from './update.ts'

type IssueDetails = Partial<Omit<CheckedParams<Api['issues']['update']>, 'id' | 'issue_iid'>>

/** 0 and the empty string clear a field. Throws 400 for a date that does not exist. */
export function detailsOf(
  world: World,
  project: Project,
  before: Pick<IssueRecord, 'labels'>,
  given: IssueDetails,
): IssuePatch {
  const { milestone_id, due_date, weight } = given
  return {
    ...pick(given, 'confidential', 'discussion_locked', 'issue_type'),
    labels: labelsAfter(before.labels, given),
    assignee_ids: readAssignees(world, project, given, canSeeProject),
    milestone_id: milestone_id === undefined ? undefined : milestoneOf(world, project, milestone_id),
    due_date: due_date === undefined ? undefined : dueDateOf(due_date),
    weight: isPremium(world) ? (weight === '' ? null : weight) : undefined,
  }
}

function milestoneOf(world: World, project: Project, id: number | ''): number | null {
  return (id ? milestoneFor(world, project, id)?.id : undefined) ?? null
}

function dueDateOf(text: string): string | null {
  if (text !== '' && !isDate(text)) throw invalid('due_date', 'is invalid')
  return text === '' ? null : text
}
