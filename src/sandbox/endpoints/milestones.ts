// Milestones of projects and groups: everyone who sees one reads them, reporters write them, as in GitLab.
import type { CheckedParams } from '../../api/endpoint.ts'
import type { Api } from '../../api/index.ts'
import { findGroup, findGroupFor, findOf, findProject, findProjectToChange, reporter } from '../access/access.ts'
import { readDate } from '../access/expiry.ts'
import { lineage } from '../access/namespaces.ts'
import { sendMilestone } from '../hooks/resources.ts'
import { badParameter, forbidden, invalid } from '../http/error-response.ts'
import { type Handlers, pageOf } from '../http/handler.ts'
import { milestonesFor } from '../merge-requests/preconditions.ts'
import { pick } from '../records/fields.ts'
import type { Milestone, User } from '../records/records.ts'
import { nextNumber, now, type World } from '../storage/world.ts'

type Filters = CheckedParams<Api['milestones']['list']>
type NewMilestone = Pick<CheckedParams<Api['milestones']['create']>, 'title' | 'description' | 'due_date'>

export const groupMilestones: Handlers<Api['groups']['milestones']> = {
  list({ params, caller, world }) {
    const group = findGroup(world, caller, params.id)
    const groups = includesAncestors(params) ? lineage(world, group) : [group]
    const all = groups.flatMap(({ id }) => world.milestones.where('group', id)).sort((one, other) => one.id - other.id)
    return pageOf(filtered(all, params).reverse(), params, (each) => each)
  },

  create({ params, caller, world }) {
    const group = findGroupFor(world, caller, params.id, reporter)
    const others = lineage(world, group).flatMap(({ id }) => world.milestones.where('group', id))
    checkTitle(others, params.title)
    return addMilestone(world, { group_id: group.id }, params)
  },
}

export const milestones: Handlers<Api['milestones']> = {
  list({ params, caller, world }) {
    const project = findTracker(world, caller, params.id)
    const all = includesAncestors(params)
      ? milestonesFor(world, project).sort((one, other) => one.id - other.id)
      : world.milestones.where('project', project.id)
    return pageOf(filtered(all, params).reverse(), params, (each) => each)
  },

  create({ params, caller, world }) {
    const project = findWritable(world, caller, params.id)
    checkTitle(milestonesFor(world, project), params.title)
    const milestone = addMilestone(world, { project_id: project.id }, params)
    sendMilestone(world, project, milestone, 'create')
    return milestone
  },

  update({ params, caller, world }) {
    const project = findWritable(world, caller, params.id)
    const milestone = findOf(project, world.milestones, params.milestone_id)
    if (params.title !== undefined) checkTitle(milestonesFor(world, project), params.title, milestone.id)
    const updated = world.milestones.update(milestone.id, {
      ...pick(params, 'title', 'description'),
      due_date: params.due_date === undefined ? undefined : readDate('due_date', params.due_date),
      state: params.state_event && (params.state_event === 'close' ? 'closed' : 'active'),
      updated_at: now(world),
    })
    if (updated.state !== milestone.state)
      sendMilestone(world, project, updated, updated.state === 'closed' ? 'close' : 'reopen')
    return updated
  },

  /** Its issues and merge requests then have no milestone. */
  delete({ params, caller, world }) {
    const project = findWritable(world, caller, params.id)
    const milestone = findOf(project, world.milestones, params.milestone_id)
    for (const { id, milestone_id } of world.issues.where('project', project.id))
      if (milestone_id === milestone.id) world.issues.update(id, { milestone_id: null })
    for (const { id, milestone_id } of world.mergeRequests.where('project', project.id))
      if (milestone_id === milestone.id) world.mergeRequests.update(id, { milestone_id: null })
    world.milestones.remove(milestone.id)
    sendMilestone(world, project, milestone, 'delete')
    return null
  },
}

/** Throws 403 if both issues and merge requests are disabled. */
function findTracker(world: World, caller: User | null, id: number | string) {
  const project = findProject(world, caller, id)
  if (!project.issues_enabled && !project.merge_requests_enabled) throw forbidden()
  return project
}

function findWritable(world: World, caller: User, id: number | string) {
  return findProjectToChange(world, caller, findTracker(world, caller, id).id, reporter)
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

function filtered(all: readonly Milestone[], { iids, state, title, search = '' }: Filters): Milestone[] {
  const text = search.toLowerCase()
  return all
    .filter((milestone) => iids === undefined || iids.includes(milestone.iid))
    .filter((milestone) => state === undefined || milestone.state === state)
    .filter((milestone) => title === undefined || milestone.title === title)
    .filter(
      (milestone) => milestone.title.toLowerCase().includes(text) || milestone.description.toLowerCase().includes(text),
    )
}

function addMilestone(
  world: World,
  owner: Pick<Milestone, 'project_id' | 'group_id'>,
  { title, description = '', due_date = '' }: NewMilestone,
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
  })
}
