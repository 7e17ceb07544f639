// Wiki page payloads (hosting-service.md §2.5).
import type { User, WikiPage } from '../records/records.ts'
import { projectById, type World } from '../storage/world.ts'
import { hookProject, hookUser, sshUrl } from './parts.ts'

const messages = { create: 'created page', update: 'updated page', delete: 'deleted page' }

export function sendWikiPage(world: World, page: WikiPage, user: User, action: keyof typeof messages): void {
  const project = projectById(world, page.project_id)
  const web = `${world.url}/${project.path_with_namespace}`
  // Half a surrogate pair cannot stand in a URL.
  const slug = Buffer.from(page.slug).toString().split('/').map(encodeURIComponent).join('/')
  const url = `${web}/-/wikis/${slug}`
  world.send({
    projectId: project.id,
    flag: 'wiki_page_events',
    name: 'Wiki Page Hook',
    payload: {
      object_kind: 'wiki_page',
      user: hookUser(user),
      project: hookProject(world, project),
      wiki: {
        web_url: `${web}/-/wikis/home`,
        git_ssh_url: sshUrl(world, project).replace(/\.git$/, '.wiki.git'),
        git_http_url: `${web}.wiki.git`,
        path_with_namespace: `${project.path_with_namespace}.wiki`,
        default_branch: project.default_branch,
      },
      object_attributes: {
        slug: page.slug,
        title: page.title,
        format: page.format,
        message: `${user.username} ${messages[action]}: ${page.title}`,
        content: page.content,
        url,
        action,
        diff_url: `${url}/diff`,
      },
    },
  })
}
