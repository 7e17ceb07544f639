// Reads `on:`: the kinds of events that a rule waits for, with an optional `*`; and why other events are not supported.
import type { Event } from '../types.ts'
import type { EventFilter, Subject } from './values/rule-types.ts'
import {
  choice,
  type Issue,
  isMap,
  listOf,
  type Path,
  type ReadContext,
  refuse,
  refuseOtherKeys,
  type ShapeSchema,
  text,
} from './values/shapes.ts'

const actionsOf: Record<string, readonly string[]> = {
  merge_request: [
    ...['open', 'update', 'close', 'reopen', 'merge', 'approved', 'unapproved', 'approval', 'unapproval'],
    // Bellhop's own names: a push reset the approvals; somebody merged what no rule would have.
    ...['approvals_reset', 'merged_past_rules'],
  ],
  note: ['create', 'update'],
  pipeline: [
    ...['created', 'waiting_for_resource', 'preparing', 'waiting_for_callback', 'pending', 'running'],
    ...['success', 'failed', 'canceling', 'canceled', 'skipped', 'manual', 'scheduled'],
  ],
  emoji: ['award', 'revoke'],
  issue: ['open', 'update', 'close', 'reopen'],
  wiki_page: ['create', 'update', 'delete'],
  release: ['create', 'update', 'delete'],
  deployment: ['created', 'running', 'success', 'failed', 'canceled', 'skipped', 'blocked'],
  milestone: ['create', 'close', 'reopen', 'delete'],
  access_token: ['expiring'],
}
const plain = ['push', 'tag_push'] as const
const ofProjects: ReadonlySet<string> = new Set([
  ...['tag_push', 'issue', 'wiki_page', 'release', 'deployment', 'milestone', 'access_token'],
])

/** Every kind that a rule may name. */
export const eventKinds: readonly string[] = [
  ...plain,
  ...Object.entries(actionsOf).flatMap(([kind, each]) => [`${kind}.*`, ...each.map((action) => `${kind}.${action}`)]),
]

const ofIssues: ReadonlySet<string> = new Set(['issue', 'note', 'emoji'])

/** Whether events of this kind may be about such a subject. Rules for the project may wait for each. */
export function isEventOf(kind: string, subject: Subject): boolean {
  const object = kind.split('.')[0] ?? kind
  if (subject === 'issue') return ofIssues.has(object)
  return subject === 'project' || !ofProjects.has(object)
}

const kind = choice(eventKinds)
const changed = listOf(text(60, 'the name of a field'))

/** The schema for a rule that acts on this subject, or on any. */
export function eventsSchema(context: ReadContext, subject: Subject = 'project'): ShapeSchema {
  const kinds = eventKinds.filter((each) => isEventOf(each, subject))
  const filter = {
    type: ['object', 'null'],
    properties: { changed: changed.schema(context) },
    additionalProperties: false,
  }
  const filters = {
    type: 'object',
    properties: Object.fromEntries(kinds.map((name) => [name, filter])),
    minProperties: 1,
    additionalProperties: false,
  }
  return { anyOf: [listOf(choice(kinds)).schema(context), filters] }
}

/** `on: note.create`, a list, or `{ merge_request.update: { changed: [labels] } }`. */
export function readEvents(value: unknown, path: Path, issues: Issue[]): EventFilter[] | undefined {
  const before = issues.length
  const filters = isMap(value)
    ? readFilters(value, path, issues)
    : listOf(kind)
        .read(value, path, issues)
        ?.map((each) => ({ kind: each }))
  return issues.length > before ? undefined : filters
}

function readFilters(value: Record<string, unknown>, path: Path, issues: Issue[]): EventFilter[] {
  if (Object.keys(value).length === 0) issues.push({ path, expected: 'at least one event', found: 'an empty mapping' })
  refuseOtherKeys(value, eventKinds, path, issues)
  return Object.entries(value).flatMap(([name, filter]): EventFilter[] => {
    if (filter === null || filter === undefined) return [{ kind: name }]
    if (!isMap(filter))
      return refuse(issues, { path: [...path, name], expected: 'a mapping with changed, or nothing' }) ?? []
    refuseOtherKeys(filter, ['changed'], [...path, name], issues)
    const fields = Object.hasOwn(filter, 'changed')
      ? changed.read(filter.changed, [...path, name, 'changed'], issues)
      : undefined
    return [{ kind: name, changed: fields }]
  })
}

/** Whether the rule waits for the event. */
export function isFor(filters: readonly EventFilter[], event: Event): boolean {
  return filters.some(
    (filter) =>
      fits(filter.kind, event.kind) && (filter.changed?.some((field) => event.changed?.includes(field)) ?? true),
  )
}

/** Whether a rule can wait for such an event. */
export function mayBeNamed({ kind: happened }: Event): boolean {
  return eventKinds.some((each) => fits(each, happened))
}

function fits(expected: string, kind: string): boolean {
  return expected.endsWith('.*') ? kind.startsWith(expected.slice(0, -1)) : kind === expected
}

const changesNoMergeRequest = 'no rule has anything to do for them'

/**
 * By the name in GitLab's documentation. `kinds`: the values of `object_kind`, else of `event_name`. `reason`: the end
 * of a sentence.
 */
export const unsupportedEvents = [
  { name: 'Job', kinds: ['build'], reason: 'the events of its pipeline say how it ends' },
  { name: 'Feature flag', kinds: ['feature_flag'], reason: changesNoMergeRequest },
  { name: 'Vulnerability', kinds: ['vulnerability'], reason: changesNoMergeRequest },
  { name: 'Deploy token', kinds: ['deploy_token'], reason: changesNoMergeRequest },
  { name: 'GitLab Duo flow', kinds: ['duo_workflow'], reason: changesNoMergeRequest },
  {
    name: 'Member',
    kinds: [
      ...['user_add_to_group', 'user_update_for_group', 'user_remove_from_group'],
      ...[
        'user_access_request_to_group',
        'user_access_request_denied_for_group',
        'user_access_request_revoked_for_group',
      ],
      ...['user_add_to_team', 'user_update_for_team', 'user_remove_from_team'],
      ...['user_access_request_to_project', 'user_access_request_denied_for_project'],
      'user_access_request_revoked_for_project',
    ],
    reason: 'access levels are read whenever a rule needs them',
  },
  { name: 'Subgroup', kinds: ['subgroup_create', 'subgroup_destroy'], reason: changesNoMergeRequest },
  {
    name: 'Project',
    kinds: ['project_create', 'project_destroy', 'project_rename', 'project_transfer', 'project_update'],
    reason: 'facts of the project are read whenever a rule needs them',
  },
  {
    name: 'System',
    kinds: [
      ...['repository_update', 'key_create', 'key_destroy', 'group_create', 'group_destroy', 'group_rename'],
      ...['user_create', 'user_destroy', 'user_rename', 'user_failed_login'],
      ...['gitlab_subscription_member_approval', 'gitlab_subscription_member_approvals'],
    ],
    reason: 'they are about the installation, not about one project',
  },
]

/** Why the event is not supported, as a sentence; undefined if the kind is not in the list. */
export function unsupportedReason(kind: string): string | undefined {
  const found = unsupportedEvents.find(({ kinds }) => kinds.includes(kind))
  return found === undefined
    ? undefined
    : `${found.name} events (${kind}) are not supported: ${found.reason}. See Events in docs/rules.md.`
}
