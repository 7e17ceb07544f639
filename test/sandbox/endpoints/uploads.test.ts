// Uploads, and how they are served.
import { describe, expect, test } from 'vitest'
import { eachCase, openWorld, type World } from '../sandbox-world.ts'
import { pixel, sendForm } from '../send-form.ts'

const upload = (world: World, file: File | string, token?: string) =>
  sendForm(world, 'POST', '/projects/1/uploads', { file }, token)

async function get(world: World, path: string, token?: string): Promise<Response> {
  return fetch(`${world.url}${path}`, token === undefined ? {} : { headers: { 'PRIVATE-TOKEN': token } })
}

describe('an upload', () => {
  test('of a picture is shown in place under its name without the ending', async () => {
    const world = await openWorld()
    await world.post('/projects', { name: 'app' })
    const { status, body } = await upload(world, new File([pixel], 'dk.png'))
    expect(status).toBe(201)
    expect(body.url).toMatch(/^\/uploads\/[0-9a-f]{32}\/dk\.png$/)
    expect(body).toEqual({ alt: 'dk', url: body.url, markdown: `![dk](${body.url})` })
  })

  test('of any other file is a link', async () => {
    const world = await openWorld()
    await world.post('/projects', { name: 'app' })
    const { body } = await upload(world, new File(['a'], 'notes (1).txt'))
    expect(body).toEqual({ alt: 'notes__1_.txt', url: body.url, markdown: `[notes__1_.txt](${body.url})` })
  })

  test('is for those who see the project', async () => {
    const world = await openWorld()
    const ann = await world.user('ann')
    await world.post('/projects', { name: 'app' })
    expect((await upload(world, new File(['a'], 'a'), ann.token)).status).toBe(404)
    expect((await upload(world, new File(['a'], 'a'), 'wrong')).status).toBe(401)
    await world.put('/projects/1', { visibility: 'internal' })
    expect((await upload(world, new File(['a'], 'a'), ann.token)).status).toBe(201)
  })

  test('without a file, with text in its place or too large, is refused', async () => {
    const world = await openWorld()
    await world.post('/projects', { name: 'app' })
    expect(await world.body('POST', '/projects/1/uploads', {})).toEqual({ error: 'file is missing' })
    expect(await world.body('POST', '/projects/1/uploads', { file: 'text' })).toEqual({
      error: 'file is invalid',
    })
    expect((await upload(world, 'text')).body).toEqual({ error: 'file is invalid' })
    // What browsers send where no file was chosen.
    expect((await upload(world, new File([], ''))).status).toBe(400)
    const large = await upload(world, new File([Buffer.alloc(10 * 1024 * 1024 + 1)], 'a.bin'))
    expect([large.status, large.body]).toEqual([413, { message: '413 Request Entity Too Large' }])
  })
})

describe('an uploaded file', () => {
  test('is served unchanged under the project’s URL', async () => {
    const world = await openWorld()
    await world.post('/projects', { name: 'app', visibility: 'public' })
    const bytes = Buffer.from(Array.from({ length: 256 }, (_, index) => index))
    const { body } = await upload(world, new File([bytes], 'résumé.bin'))
    const served = await get(world, `/root/app${body.url}`)
    expect(Buffer.from(await served.arrayBuffer())).toEqual(bytes)
    expect(served.headers.get('content-disposition')).toBe(
      `attachment; filename="r?sum?.bin"; filename*=UTF-8''r%C3%A9sum%C3%A9.bin`,
    )
  })

  test('only pictures are shown in place, and no browser runs a file', async () => {
    const world = await openWorld()
    await world.post('/projects', { name: 'app', visibility: 'public' })
    await eachCase(
      [
        ['page.html', 'application/octet-stream', true],
        ['drawing.svg', 'application/octet-stream', true],
        ['script.js', 'application/octet-stream', true],
        ['picture.png', 'image/png', false],
        ['noending', 'application/octet-stream', true],
      ],
      async ([name, type, saved]) => {
        const { body } = await upload(world, new File(['<script>alert(1)</script>'], name, { type: 'text/html' }))
        const { headers } = await get(world, `/root/app${body.url}`)
        expect(headers.get('content-type')).toBe(type)
        expect(headers.get('content-disposition') ?? 'inline').toMatch(saved ? /^attachment; filename=/ : /^inline$/)
        expect(headers.get('x-content-type-options')).toBe('nosniff')
        expect(headers.get('content-security-policy')).toBe("default-src 'none'; sandbox")
      },
    )
  })

  test('of a private project is for those who see the project', async () => {
    const world = await openWorld()
    const ann = await world.user('ann')
    await world.post('/projects', { name: 'app' })
    const { body } = await upload(world, new File(['a'], 'a.txt'))
    const status = async (token?: string) => (await get(world, `/root/app${body.url}`, token)).status
    expect([await status(), await status(ann.token), await status('root-token'), await status('wrong')]).toEqual([
      404, 404, 200, 401,
    ])
  })

  test('moves with its project, and is not found under another one', async () => {
    const world = await openWorld()
    await world.post('/projects', { name: 'app', visibility: 'public' })
    await world.post('/projects', { name: 'other', visibility: 'public' })
    const { body } = await upload(world, new File(['a'], 'a.txt'))
    await world.put('/projects/1', { path: 'moved' })
    const status = async (path: string) => (await get(world, `${path}${body.url}`)).status
    expect([await status('/root/moved'), await status('/root/app'), await status('/root/other')]).toEqual([
      200, 404, 404,
    ])
  })

  test('other addresses are 404 in JSON', async () => {
    const world = await openWorld()
    await world.post('/projects', { name: 'app', visibility: 'public' })
    await eachCase(
      [
        '/root/app/uploads/00000000000000000000000000000000/a.txt',
        '/root/app/uploads/SECRET/..%2f..%2f..%2fetc%2fpasswd',
        '/root/app/uploads/SECRET/%2e%2e%2favatar',
        '/root/app/uploads/SECRET/a.txt%00.png',
        '/root/app/uploads/SECRET/..',
        '/root/app/uploads/SECRET/%ff',
        '/root/app/uploads/SECRET',
        `/root/app/uploads/SECRET/${'x'.repeat(10_000)}`,
        '/uploads/-/system/project/avatar/1/a.txt',
        '/uploads/-/system/project/avatar/9999999999/a.png',
      ],
      async (path) => {
        const { body } = await upload(world, new File(['a'], 'a.txt'))
        const served = await get(world, path.replace('SECRET', body.url.split('/')[2]))
        expect(served.status).toBe(404)
        expect(Object.keys((await served.json()) as object)).toHaveLength(1)
      },
    )
  })
})

test('an unsafe file name is replaced by a safe one', async () => {
  const world = await openWorld()
  await world.post('/projects', { name: 'app', visibility: 'public' })
  await eachCase(
    ['../../../evil.sh', '..', 'C:\\evil.exe', '"><script>.html', 'a\r\nX-Evil: 1', '💣.txt'],
    async (name) => {
      const { status, body } = await upload(world, new File(['bang'], name))
      expect(status).toBe(201)
      expect(body.url).toMatch(/^\/uploads\/[0-9a-f]{32}\/[\w+][\w.+-]*$/)
      expect(await (await get(world, `/root/app${body.url}`)).text()).toBe('bang')
    },
  )
})
