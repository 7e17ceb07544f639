// Issues: guests open them, authors and planners change them, as in GitLab.
import type { Api } from '../../api/index.ts'
import { refuseArchived, visibleProject } from '../access/access.ts'
import { forbidden, invalid } from '../http/error-response.ts'
import { type Handlers, on, pageOf } from '../http/handler.ts'
import { mentions } from '../issues/closing-references.ts'
import { canEditIssue, canSeeIssue, canTriage, issueAt, showIssue, showSingleIssue } from '../issues/find.ts'
import { createIssue, detailsOf, updateIssue } from '../issues/update.ts'
import { canReadMergeRequest } from '../merge-requests/find.ts'
import { showListedMergeRequest } from '../merge-requests/show.ts'
import { pick } from '../records/fields.ts'
import { filterWork } from '../records/filter.ts'
import { issueAttention } from './attention.ts'
import { awardEmoji } from './award-emoji.ts'
import { labelEvents } from './labels.ts'
import { discussions, notes } from './notes.ts'
import { timeTracking } from './time-tracking.ts'

export const issues: Handlers<Api['issues']> = {
  list: on(visibleProject, ({ project, params, caller, world }) => {
    const own = project.issues_enabled ? world.issues.where('project', project.id) : []
    const all = own.filter((issue) => canSeeIssue(world, caller, project, issue))
    return pageOf(filterWork(world, caller, 'Issue', all, params), params, (issue) => showIssue(world, issue))
  }),

  get: on(issueAt, ({ issue, caller, world }) => showSingleIssue(world, issue, caller)),

  create: on(visibleProject, ({ project, params, caller, world }) =>
    showSingleIssue(world, createIssue(world, project, caller, params), caller),
  ),

  update: on(issueAt, ({ project, issue, params, caller, world }) => {
    if (!canEditIssue(world, caller, project, issue)) throw forbidden()
    refuseArchived(project)
    if (params.title?.trim() === '') throw invalid('title', "can't be blank")
    const updated = updateIssue(world, issue, caller, {
      ...pick(params, 'title', 'description'),
      state: params.state_event && (params.state_event === 'close' ? 'closed' : 'opened'),
      ...(canTriage(world, caller, project) && detailsOf(world, project, issue, params)),
    })
    return showSingleIssue(world, updated, caller)
  }),

  relatedMergeRequests: on(issueAt, ({ issue, params, caller, world }) => {
    const found = world.mergeRequests
      .all()
      .filter((mr) => mentions(world, mr, issue) && canReadMergeRequest(world, caller, mr))
    return pageOf(found, params, (mr) => showListedMergeRequest(world, mr, caller))
  }),

  ...issueAttention,
  ...timeTracking,
  notes,
  discussions,
  awardEmoji,
  labelEvents,
}
