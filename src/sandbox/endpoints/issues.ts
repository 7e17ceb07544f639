// Issues of a project: guests open them, authors and reporters change them, as in GitLab.
import type { Api } from '../../api/index.ts'
import { findProject, projectLevel, refuseArchived } from '../access/access.ts'
import { sendIssue } from '../hooks/issue.ts'
import { forbidden, invalid, notFound } from '../http/error-response.ts'
import { type Handlers, pageOf } from '../http/handler.ts'
import { detailsOf } from '../issues/details.ts'
import { filterIssues } from '../issues/filter.ts'
import { canEditIssue, canSeeIssue, canTriage, findIssue } from '../issues/find.ts'
import { showIssue } from '../issues/show.ts'
import { updateIssue } from '../issues/update.ts'
import { ensureLabels } from '../merge-requests/labels.ts'
import { defined, pick } from '../records/fields.ts'
import { nextNumber, now } from '../storage/world.ts'
import { issueNotes } from './notes.ts'

export const issues: Handlers<Api['issues']> = {
  list({ params, caller, world }) {
    const project = findProject(world, caller, params.id)
    const all = project.issues_enabled
      ? world.issues.where('project', project.id).filter((issue) => canSeeIssue(world, caller, project, issue))
      : []
    return pageOf(filterIssues(world, all, params), params, (issue) => showIssue(world, issue))
  },

  get: ({ params, caller, world }) => showIssue(world, findIssue(world, caller, params).issue),

  create({ params, caller, world }) {
    const project = findProject(world, caller, params.id)
    if (!project.issues_enabled) throw forbidden()
    refuseArchived(project)
    if (params.title.trim() === '') throw invalid('title', "can't be blank")
    // Non-members cannot set labels, assignee or milestone.
    const details = projectLevel(world, caller, project) > 0 ? detailsOf(world, project, params) : {}
    ensureLabels(world, project.id, details.labels ?? [])
    const time = now(world)
    const issue = world.issues.add({
      assignee_id: null,
      milestone_id: null,
      labels: [],
      ...details,
      id: nextNumber(world, 'issues'),
      iid: nextNumber(world, `issues of ${project.id}`),
      project_id: project.id,
      title: params.title,
      description: params.description ?? '',
      confidential: params.confidential === true,
      ...defined(pick(params, 'issue_type')),
      state: 'opened',
      author_id: caller.id,
      created_at: time,
      updated_at: time,
      closed_at: null,
    })
    sendIssue(world, issue, caller, 'open')
    return showIssue(world, issue)
  },

  update({ params, caller, world }) {
    const project = findProject(world, caller, params.id)
    const issue = world.issues.first('iid', `${project.id}:${params.issue_iid}`)
    if (issue === undefined || !canSeeIssue(world, caller, project, issue)) throw notFound()
    if (!canEditIssue(world, caller, project, issue)) throw forbidden()
    refuseArchived(project)
    if (params.title?.trim() === '') throw invalid('title', "can't be blank")
    const updated = updateIssue(world, issue, caller, {
      ...defined(pick(params, 'title', 'description', 'confidential')),
      ...(params.state_event !== undefined && { state: params.state_event === 'close' ? 'closed' : 'opened' }),
      ...(canTriage(world, caller, project) && detailsOf(world, project, params)),
    })
    return showIssue(world, updated)
  },

  notes: issueNotes,
}
