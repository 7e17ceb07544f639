// Payloads of milestones, releases, deployments, wiki pages and access tokens.
import { pick } from '../records/fields.ts'
import type { Deployment, Milestone, Project, Release, Token, User, WikiPage } from '../records/records.ts'
import { projectById, userById, type World, webUrl } from '../storage/world.ts'
import { hookCommitOf, hookTime, hookUser, sshUrl } from './parts.ts'

export function sendMilestone(
  world: World,
  project: Project,
  milestone: Milestone,
  action: 'create' | 'close' | 'reopen' | 'delete',
): void {
  world.send(project, 'milestone_events', {
    object_kind: 'milestone',
    event_type: 'milestone',
    object_attributes: {
      ...pick(milestone, 'id', 'iid', 'title', 'description', 'state', 'due_date'),
      created_at: hookTime(milestone.created_at),
      updated_at: hookTime(milestone.updated_at),
      start_date: null,
      group_id: null,
      project_id: project.id,
    },
    action,
  })
}

export async function sendRelease(world: World, release: Release, action: 'create' | 'update' | 'delete') {
  const project = projectById(world, release.project_id)
  world.send(project, 'releases_events', {
    object_kind: 'release',
    ...pick(release, 'id', 'name', 'description'),
    tag: release.tag_name,
    created_at: hookTime(release.created_at),
    released_at: hookTime(release.created_at),
    url: `${webUrl(world, project)}/-/releases/${encodeURIComponent(release.tag_name)}`,
    action,
    assets: { count: 0, links: [], sources: [] },
    commit: await hookCommitOf(world, project, release.sha),
  })
}

export async function sendDeployment(world: World, deployment: Deployment): Promise<void> {
  const project = projectById(world, deployment.project_id)
  const user = userById(world, deployment.user_id)
  const { title, url } = await hookCommitOf(world, project, deployment.sha)
  world.send(project, 'deployment_events', {
    object_kind: 'deployment',
    ...pick(deployment, 'status', 'environment', 'ref'),
    status_changed_at: `${deployment.updated_at.slice(0, 19).replace('T', ' ')} +0000`,
    deployment_id: deployment.id,
    // An outside system deploys: there is no job.
    deployable_id: null,
    deployable_url: null,
    environment_slug: deployment.environment.toLowerCase().replace(/[^a-z0-9]+/g, '-'),
    environment_external_url: null,
    short_sha: deployment.sha.slice(0, 8),
    user: hookUser(user),
    user_url: `${world.url}/${user.username}`,
    commit_url: url,
    commit_title: title,
  })
}

const messages = { create: 'created page', update: 'updated page', delete: 'deleted page' }

export function sendWikiPage(world: World, page: WikiPage, user: User, action: keyof typeof messages): void {
  const project = projectById(world, page.project_id)
  const web = webUrl(world, project)
  const slug = page.slug.split('/').map(encodeURIComponent).join('/')
  const url = `${web}/-/wikis/${slug}`
  world.send(project, 'wiki_page_events', {
    object_kind: 'wiki_page',
    user: hookUser(user),
    wiki: {
      web_url: `${web}/-/wikis/home`,
      git_ssh_url: sshUrl(world, project).replace(/\.git$/, '.wiki.git'),
      git_http_url: `${web}.wiki.git`,
      path_with_namespace: `${project.path_with_namespace}.wiki`,
      default_branch: project.default_branch,
    },
    object_attributes: {
      ...pick(page, 'slug', 'title', 'format', 'content'),
      message: `${user.username} ${messages[action]}: ${page.title}`,
      url,
      action,
      diff_url: `${url}/diff`,
    },
  })
}

/** Warns before it expires. */
export function sendExpiringToken(world: World, project: Project, token: Token): void {
  world.send(project, 'resource_access_token_events', {
    object_kind: 'access_token',
    interval: 'seven_days',
    object_attributes: {
      ...pick(token, 'user_id', 'id', 'name', 'expires_at'),
      created_at: hookTime(token.created_at),
    },
    event_name: 'expiring_access_token',
  })
}
