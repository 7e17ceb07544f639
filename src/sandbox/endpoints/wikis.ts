// Wiki pages of a project: everyone who sees it reads them, developers write them, as in GitLab.
import type { Api } from '../../api/index.ts'
import { wikiPage } from '../../api/schemas/issue.ts'
import { developer, projectToChange, visibleProject } from '../access/access.ts'
import { sendWikiPage } from '../hooks/resources.ts'
import { forbidden, invalid, orNotFound } from '../http/error-response.ts'
import { type Asked, type Handlers, on } from '../http/handler.ts'
import { pick, shownFields } from '../records/fields.ts'
import type { Project, WikiPage } from '../records/records.ts'
import { nextNumber, type World } from '../storage/world.ts'

export const wikis: Handlers<Api['wikis']> = {
  create: on(projectWithWiki, ({ project, params, caller, world }) => {
    const { content, format } = params
    const page = world.wikiPages.add({
      ...namesFor(world, project, params.title),
      id: nextNumber(world, 'wiki pages'),
      project_id: project.id,
      content,
      format,
    })
    sendWikiPage(world, page, caller, 'create')
    return shownFields(wikiPage, page)
  }),

  update: on(projectWithWiki, ({ project, params, caller, world }) => {
    const page = findPage(world, project, params.slug)
    const updated = world.wikiPages.update(page.id, {
      ...(params.title !== undefined && namesFor(world, project, params.title, page)),
      ...pick(params, 'content', 'format'),
    })
    sendWikiPage(world, updated, caller, 'update')
    return shownFields(wikiPage, updated)
  }),

  delete: on(projectWithWiki, ({ project, params, caller, world }) => {
    const page = findPage(world, project, params.slug)
    world.wikiPages.remove(page.id)
    sendWikiPage(world, page, caller, 'delete')
    return null
  }),
}

function projectWithWiki(call: Asked<{ id: number | string }>) {
  if (!visibleProject(call).project.wiki_enabled) throw forbidden()
  return projectToChange(developer)(call)
}

function findPage(world: World, project: Project, slug: string) {
  return orNotFound(
    world.wikiPages.where('project', project.id).find((each) => each.slug === slug),
    'Wiki Page',
  )
}

/** `guides/Getting started` → `guides/Getting-started`. Throws 400 for a duplicate. */
function namesFor(world: World, project: Project, given: string, except?: WikiPage): Pick<WikiPage, 'title' | 'slug'> {
  const parts = given.split('/').map((part) => part.trim().replace(/\s+/g, ' '))
  if (parts.some((part) => part === '' || part === '.' || part === '..')) throw invalid('title', 'is invalid')
  const title = parts.join('/')
  const slug = title.replaceAll(' ', '-')
  const taken = world.wikiPages
    .where('project', project.id)
    .some((page) => page.slug === slug && page.id !== except?.id)
  if (taken) throw invalid('base', 'Duplicate page: A page with that title already exists')
  return { title, slug }
}
