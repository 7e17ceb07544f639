// Web hooks of a project: flags, tokens, rights.
import { eachCase, test } from '../sandbox-world.ts'

const url = 'http://127.0.0.1:1/hook'

test('a new hook wants pushes and nothing else', async ({ withProject: world }) => {
  const hook = await world.post('/projects/1/hooks', { url, wiki_events: true })
  const flags = Object.entries(hook).filter(([name, value]) => name.endsWith('_events') && value === true)
  expect(flags.map(([name]) => name)).toEqual(['push_events', 'wiki_page_events'])
})

test('secrets are never shown, only whether they are there; an update keeps them, and an empty one removes it', async ({
  withProject: world,
}) => {
  const signing_token = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
  const plain = await world.post('/projects/1/hooks', { url })
  expect(plain).toMatchObject({ token_present: false, signing_token_present: false, enable_ssl_verification: true })
  const hook = await world.post('/projects/1/hooks', { url, token: 'secret', signing_token })
  expect(hook).toMatchObject({ token_present: true, signing_token_present: true })
  const one = `/projects/1/hooks/${hook.id}`
  expect(await world.put(one, { url, note_events: true })).toMatchObject({
    token_present: true,
    signing_token_present: true,
  })
  const unsigned = { token_present: true, signing_token_present: false }
  expect(await world.put(one, { url, signing_token: '' })).toMatchObject(unsigned)
  expect(await world.put(one, { url, token: '' })).toMatchObject({ token_present: false })
  await world.put(one, { url, token: 'secret' })
  const shown = JSON.stringify([
    hook,
    await world.get(one),
    await world.get('/projects/1/hooks'),
    await world.delete(one),
  ])
  expect(shown).not.toContain('secret')
  expect(shown).not.toContain('whsec_')
})

test('an update needs the address, and keeps the flags that it does not name', async ({ withProject: world }) => {
  const settings = { push_events: false, wiki_events: true, job_events: true, enable_ssl_verification: false }
  const hook = await world.post('/projects/1/hooks', { url, ...settings })
  expect(await world.body('PUT', `/projects/1/hooks/${hook.id}`, { push_events: true })).toEqual({
    error: 'url is missing',
  })
  const updated = await world.put(`/projects/1/hooks/${hook.id}`, { url: `${url}/2`, wiki_events: false })
  expect(updated).toEqual({ ...hook, url: `${url}/2`, wiki_page_events: false })
})

test('deleting gives the hook once, and then nothing', async ({ withProject: world }) => {
  const hook = await world.post('/projects/1/hooks', { url })
  expect(await world.body('DELETE', `/projects/1/hooks/${hook.id}`)).toEqual(hook)
  expect(await world.answer('DELETE', `/projects/1/hooks/${hook.id}`)).toEqual([204, null])
  expect(await world.status('GET', `/projects/1/hooks/${hook.id}`)).toBe(404)
})

test('invalid URLs are refused', async ({ withProject: world }) => {
  await eachCase(
    ['ftp://example.com/', 'file:///etc/passwd', 'nothing', 'javascript:alert(1)', 'http://a%zz:b@example.com/'],
    async (bad) => {
      const answer = await world.call('POST', '/projects/1/hooks', { url: bad })
      expect([answer.status, Object.keys(answer.body.message)]).toEqual([400, ['url']])
    },
  )
})

test('only maintainers see and change hooks, and none of another project', async ({ world }) => {
  await world.project()
  const ann = await world.member('ann', 30)
  const hook = await world.post('/projects/1/hooks', { url })
  expect(await ann.status('GET', '/projects/1/hooks')).toBe(403)
  expect(await ann.status('POST', '/projects/1/hooks', { url })).toBe(403)
  await world.post('/projects', { name: 'second' })
  expect(await world.status('GET', `/projects/2/hooks/${hook.id}`)).toBe(404)
  expect(await world.status('DELETE', `/projects/2/hooks/${hook.id}`)).toBe(204)
  expect(await world.status('GET', `/projects/1/hooks/${hook.id}`)).toBe(200)
})
