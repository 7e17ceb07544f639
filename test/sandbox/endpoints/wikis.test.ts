// Wiki pages: slugs, contents, rights and hooks.
import { test } from '../sandbox-world.ts'

const wikis = '/projects/1/wikis'

test('a page has the slug of its title, in which folders stay', async ({ withProject: world }) => {
  const page = await world.post(wikis, { title: 'guides/Getting  started', content: 'Hello' })
  expect(page).toEqual({
    slug: 'guides/Getting-started',
    title: 'guides/Getting started',
    format: 'markdown',
    content: 'Hello',
  })
  expect(await world.put(`${wikis}/guides%2FGetting-started`, { content: 'Hello' })).toEqual(page)
  expect(await world.body('PUT', `${wikis}/other`, { content: 'x' })).toEqual({ message: '404 Wiki Page Not Found' })
})

test('two pages do not share a slug, and titles that lead elsewhere are refused', async ({ withProject: world }) => {
  await world.post(wikis, { title: 'A b', content: 'x' })
  await world.post(wikis, { title: 'C', content: 'x' })
  const duplicate = { message: { base: ['Duplicate page: A page with that title already exists'] } }
  expect(await world.body('POST', wikis, { title: 'A  b', content: 'x' })).toEqual(duplicate)
  expect(await world.body('PUT', `${wikis}/C`, { title: 'A b' })).toEqual(duplicate)
  for (const title of ['../up', 'a//b', '/a', ' ', '.']) {
    expect(await world.body('POST', wikis, { title, content: 'x' })).toEqual({
      message: { title: ['is invalid'] },
    })
  }
  expect(await world.body('POST', wikis, { title: 'D' })).toEqual({ error: 'content is missing' })
})

test('hooks for created, changed and removed pages go to wiki hooks only', async ({ withProject: world }) => {
  const hooks = await world.receiver({ wiki_events: true })
  const others = await world.receiver({ push_events: true, note_events: true })
  await world.post(wikis, { title: 'guides/Ä b', content: 'Hello' })
  await world.put(`${wikis}/${encodeURIComponent('guides/Ä-b')}`, { title: 'C' })
  await world.delete(`${wikis}/C`)
  expect(await hooks.events()).toEqual(['wiki_page create', 'wiki_page update', 'wiki_page delete'])
  expect(others.received).toEqual([])
  expect(hooks.received[0]?.headers['x-gitlab-event']).toBe('Wiki Page Hook')
  const url = `${world.url}/root/app/-/wikis/guides/%C3%84-b`
  expect(hooks.received[0]?.payload).toMatchObject({
    user: { username: 'root' },
    project: { path_with_namespace: 'root/app' },
    wiki: {
      web_url: `${world.url}/root/app/-/wikis/home`,
      git_http_url: `${world.url}/root/app.wiki.git`,
      git_ssh_url: 'git@127.0.0.1:root/app.wiki.git',
      path_with_namespace: 'root/app.wiki',
      default_branch: 'master',
    },
    object_attributes: {
      slug: 'guides/Ä-b',
      title: 'guides/Ä b',
      content: 'Hello',
      format: 'markdown',
      message: 'root created page: guides/Ä b',
      url,
      diff_url: `${url}/diff`,
    },
  })
  expect(hooks.received[2]?.payload.object_attributes).toMatchObject({ slug: 'C', content: 'Hello' })
})
