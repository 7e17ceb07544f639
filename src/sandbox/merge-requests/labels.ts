// Labels, created on first use, and their history.
import { invalid } from '../http/error-response.ts'
import type { IssueRecord, Label, MergeRequest, Note, User } from '../records/records.ts'
import { nextNumber, now, type World } from '../storage/world.ts'

interface Labelled {
  readonly type: Note['noteable_type']
  readonly record: Pick<MergeRequest | IssueRecord, 'id' | 'project_id' | 'labels'>
}

const color = '#428bca'
const longestTitle = 255

/** `a, b` → unique names. */
export function splitLabels(text: string): string[] {
  const names = text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
  return [...new Set(names)]
}

/** Throws 400 for a title that is too long. */
function readLabels(text: string): string[] {
  const names = splitLabels(text)
  if (names.some((name) => name.length > longestTitle))
    throw invalid('labels', `is too long (maximum is ${longestTitle} characters)`)
  return names
}

export function sameLabels(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((each) => other.includes(each))
}

export function ensureLabels(world: World, projectId: number, names: readonly string[]): void {
  const known = new Set(world.labels.where('project', projectId).map((label) => label.title))
  for (const title of names) {
    if (known.has(title)) continue
    addLabel(world, { project_id: projectId, title, color, description: null })
  }
}

export function addLabel(world: World, given: Omit<Label, 'id' | 'created_at'>): Label {
  return world.labels.add({ ...given, id: nextNumber(world, 'labels'), created_at: now(world) })
}

export function labelsNamed(world: World, projectId: number, names: readonly string[]): Label[] {
  const wanted = new Set(names)
  return world.labels.where('project', projectId).filter((label) => wanted.has(label.title))
}

/** `labels` replaces all; then `add_labels` and `remove_labels` apply. Throws 400 for a title that is too long. */
export function labelsAfter(
  before: readonly string[],
  wanted: { labels?: string; add_labels?: string; remove_labels?: string },
): readonly string[] {
  const base = wanted.labels === undefined ? before : readLabels(wanted.labels)
  const removed = new Set(splitLabels(wanted.remove_labels ?? ''))
  return [...new Set([...base, ...readLabels(wanted.add_labels ?? '')])].filter((label) => !removed.has(label))
}

/** Records how the labels changed from `before` to those of the record. */
export function recordLabelEvents(
  world: World,
  user: User,
  before: readonly string[],
  { type, record: { id, project_id, labels } }: Labelled,
): void {
  const changed = {
    add: labels.filter((name) => !before.includes(name)),
    remove: before.filter((name) => !labels.includes(name)),
  }
  for (const action of ['add', 'remove'] as const)
    for (const { id: label_id } of labelsNamed(world, project_id, changed[action]))
      world.labelEvents.add({
        noteable_type: type,
        noteable_id: id,
        id: nextNumber(world, 'label events'),
        user_id: user.id,
        label_id,
        action,
        created_at: now(world),
      })
}
