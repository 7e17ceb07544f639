// Milestones of projects and groups: everyone who sees one reads them, reporters write them, as in GitLab.
import type { CheckedParams } from '../../api/endpoint.ts'
import type { Api } from '../../api/index.ts'
import { findOf, groupFor, projectToChange, reporter, visibleGroup, visibleProject } from '../access/access.ts'
import { readDate } from '../access/expiry.ts'
import { lineage } from '../access/namespaces.ts'
import { sendMilestone } from '../hooks/resources.ts'
import { badParameter, forbidden, invalid } from '../http/error-response.ts'
import { type Asked, type Handlers, on, pageOf } from '../http/handler.ts'
import { milestonesFor } from '../merge-requests/preconditions.ts'
import { pick } from '../records/fields.ts'
import { contains, filtered } from '../records/filter.ts'
import type { Milestone, User } from '../records/records.ts'
import { nextNumber, now, type World } from '../storage/world.ts'

type Filters = CheckedParams<Api['milestones']['list']>
type NewMilestone = Pick<
  CheckedParams<Api['milestones']['create']>,
  'title' | 'description' | 'due_date' | 'start_date'
>

export const groupMilestones: Handlers<Api['groups']['milestones']> = {
  list: on(visibleGroup, ({ group, params, world }) => {
    const groups = includesAncestors(params) ? lineage(world, group) : [group]
    const all = groups.flatMap(({ id }) => world.milestones.where('group', id))
    return pageOfMilestones(all, params)
  }),

  create: on(groupFor(reporter), ({ group, params, world }) => {
    const others = lineage(world, group).flatMap(({ id }) => world.milestones.where('group', id))
    checkTitle(others, params.title)
    return addMilestone(world, { group_id: group.id }, params)
  }),
}

export const milestones: Handlers<Api['milestones']> = {
  list: on(tracker, ({ project, params, world }) => {
    const own = world.milestones.where('project', project.id)
    return pageOfMilestones(includesAncestors(params) ? milestonesFor(world, project) : own, params)
  }),

  create: on(writableTracker, ({ project, params, world }) => {
    checkTitle(milestonesFor(world, project), params.title)
    const milestone = addMilestone(world, { project_id: project.id }, params)
    sendMilestone(world, project, milestone, 'create')
    return milestone
  }),

  get: on(tracker, ({ project, params, world }) => findOf(project, world.milestones, params.milestone_id)),

  update: on(writableTracker, ({ project, params, world }) => {
    const milestone = findOf(project, world.milestones, params.milestone_id)
    if (params.title !== undefined) checkTitle(milestonesFor(world, project), params.title, milestone.id)
    const updated = world.milestones.update(milestone.id, {
      ...pick(params, 'title', 'description'),
      due_date: params.due_date === undefined ? undefined : readDate('due_date', params.due_date),
      start_date: params.start_date === undefined ? undefined : readDate('start_date', params.start_date),
      state: params.state_event && (params.state_event === 'close' ? 'closed' : 'active'),
      updated_at: now(world),
    })
    if (updated.state !== milestone.state)
      sendMilestone(world, project, updated, updated.state === 'closed' ? 'close' : 'reopen')
    return updated
  }),

  /** Its issues and merge requests then have no milestone. */
  delete: on(writableTracker, ({ project, params, world }) => {
    const milestone = findOf(project, world.milestones, params.milestone_id)
    for (const works of [world.issues, world.mergeRequests])
      for (const { id, milestone_id } of works.where('project', project.id))
        if (milestone_id === milestone.id) works.update(id, { milestone_id: null })
    world.milestones.remove(milestone.id)
    sendMilestone(world, project, milestone, 'delete')
    return null
  }),
}

/** Throws 403 if both issues and merge requests are disabled. */
function tracker(call: Asked<{ id: number | string }, User | null>) {
  const { project } = visibleProject(call)
  if (!project.issues_enabled && !project.merge_requests_enabled) throw forbidden()
  return { project }
}

function writableTracker(call: Asked<{ id: number | string }>) {
  tracker(call)
  return projectToChange(reporter)(call)
}

function checkTitle(others: readonly Milestone[], title: string, except?: number) {
  if (title.trim() === '') throw invalid('title', "can't be blank")
  if (others.some((milestone) => milestone.title === title && milestone.id !== except))
    throw invalid('title', 'already being used for another group or project milestone.')
}

/** `include_parent_milestones` is the older name; both together are refused. */
function includesAncestors({ include_ancestors, include_parent_milestones }: Filters): boolean {
  if (include_ancestors !== undefined && include_parent_milestones !== undefined)
    throw badParameter('include_ancestors, include_parent_milestones are mutually exclusive')
  return include_ancestors === true || include_parent_milestones === true
}

/** Newest first. */
function pageOfMilestones(all: readonly Milestone[], filters: Filters) {
  const found = filtered(all, filters, {
    iids: ({ iid }, iids) => iids.includes(iid),
    state: (milestone, state) => milestone.state === state,
    title: (milestone, title) => milestone.title === title,
    search: ({ title, description }, text) => contains(title, text) || contains(description, text),
  })
  const newestFirst = found.sort((one, other) => other.id - one.id)
  return pageOf(newestFirst, filters, (each) => each)
}

function addMilestone(
  world: World,
  owner: Pick<Milestone, 'project_id' | 'group_id'>,
  { title, description = '', due_date = '', start_date = '' }: NewMilestone,
): Milestone {
  const time = now(world)
  const numbers = owner.group_id === undefined ? `${owner.project_id}` : `group ${owner.group_id}`
  return world.milestones.add({
    id: nextNumber(world, 'milestones'),
    iid: nextNumber(world, `milestones of ${numbers}`),
    ...owner,
    title,
    description,
    state: 'active',
    created_at: time,
    updated_at: time,
    due_date: readDate('due_date', due_date),
    start_date: readDate('start_date', start_date),
  })
}
