// Parts of several payloads.
import { isDeepStrictEqual } from 'node:util'
import { lineage } from '../access/namespaces.ts'
import { type GitCommit, readCommit } from '../git/read-commits.ts'
import { isPremium } from '../installation.ts'
import { pick } from '../records/fields.ts'
import type { HookEventFlags, Label, Project, User } from '../records/records.ts'
import { userById, type World, webUrl } from '../storage/world.ts'

const visibilityLevels = { private: 0, internal: 10, public: 20 }

export function hasHook(world: World, projectId: number, flag: keyof HookEventFlags): boolean {
  return hooksFor(world, projectId, flag).length > 0
}

/** `2017-09-15 16:50:55 UTC`. */
export function hookTime<T extends string | null>(time: T): T {
  return (time === null ? null : `${time.slice(0, 10)} ${time.slice(11, 19)} UTC`) as T
}

export function secondsBetween(start: string | null, end: string | null): number | null {
  return start === null || end === null ? null : (Date.parse(end) - Date.parse(start)) / 1000
}

export function hookUsers(world: World, ids: readonly (number | null)[]): Record<string, unknown>[] {
  return ids.filter((id) => id !== null).map((id) => hookUser(userById(world, id)))
}

export function hookUser(user: User): Record<string, unknown> {
  return { ...pick(user, 'id', 'name', 'username', 'email'), avatar_url: null }
}

export function sshUrl(world: World, project: Project): string {
  return `git@${new URL(world.url).hostname}:${project.path_with_namespace}.git`
}

export function hookProject(world: World, project: Project): Record<string, unknown> {
  const web = webUrl(world, project)
  const namespace = world.groups.get(project.namespace_id)?.name ?? project.path_with_namespace.split('/')[0]
  return {
    ...pick(project, 'id', 'name', 'description', 'path_with_namespace', 'default_branch', 'ci_config_path'),
    web_url: web,
    avatar_url: null,
    git_ssh_url: sshUrl(world, project),
    git_http_url: `${web}.git`,
    namespace,
    visibility_level: visibilityLevels[project.visibility],
    homepage: web,
    url: sshUrl(world, project),
    ssh_url: sshUrl(world, project),
    http_url: `${web}.git`,
  }
}

export function hookRepository(world: World, project: Project): Record<string, unknown> {
  return {
    name: project.name,
    url: sshUrl(world, project),
    description: project.description,
    homepage: webUrl(world, project),
  }
}

/** The repository in payloads of pushes and jobs, which show more of it. */
export function hookGitRepository(world: World, project: Project): Record<string, unknown> {
  const { git_http_url, git_ssh_url, visibility_level } = hookProject(world, project)
  return { ...hookRepository(world, project), git_http_url, git_ssh_url, visibility_level }
}

export function hookLabel(label: Label): Record<string, unknown> {
  return {
    ...pick(label, 'id', 'title', 'color', 'project_id', 'description'),
    created_at: hookTime(label.created_at),
    updated_at: hookTime(label.created_at),
    template: false,
    type: 'ProjectLabel',
    group_id: null,
  }
}

export function hookCommit(world: World, project: Project, commit: GitCommit): Record<string, unknown> {
  return {
    ...pick(commit, 'id', 'message', 'title'),
    timestamp: commit.created_at,
    url: `${webUrl(world, project)}/-/commit/${commit.id}`,
    author: { name: commit.author_name, email: commit.author_email },
  }
}

export async function hookCommitOf(world: World, project: Project, sha: string): Promise<Record<string, unknown>> {
  return hookCommit(world, project, await readCommit(world, project.id, sha))
}

export type Changes = Record<string, { previous: unknown; current: unknown }>
type Fields = Record<string, unknown>

export function changesBetween(previous: Fields, current: Fields): Changes {
  const fields = Object.keys(current).filter((field) => !isDeepStrictEqual(previous[field], current[field]))
  return Object.fromEntries(fields.map((field) => [field, { previous: previous[field], current: current[field] }]))
}

/** With their X-Gitlab-Event. Groups have hooks on Premium alone; several hooks may lead to the same address. */
export function hooksFor(world: World, projectId: number, flag: keyof HookEventFlags) {
  const group = isPremium(world) ? world.groups.get(world.projects.get(projectId)?.namespace_id) : undefined
  const own = [
    ...world.hooks.where('project', projectId),
    ...lineage(world, group).flatMap(({ id }) => world.groupHooks.where('group', id)),
  ]
  return [
    ...own.filter((hook) => hook[flag]).map((hook) => ({ hook, name: nameOf(flag) })),
    ...world.systemHooks
      .all()
      .filter((hook: Partial<HookEventFlags>) => hook[flag] === true)
      .map((hook) => ({ hook, name: 'System Hook' })),
  ]
}

/** `merge_requests_events` → `Merge Request Hook`. */
function nameOf(flag: string): string {
  const words = flag.replace(/s?_events$/, '_hook').split('_')
  return words.map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`).join(' ')
}
