// Uploads, and how they are served.
import { eachCase, openWorld, type World } from '../sandbox-world.ts'
import { pixel, sendForm } from '../send-form.ts'

const upload = (world: World, file: File | string, token?: string) =>
  sendForm(world, 'POST', '/projects/1/uploads', { file }, token)

async function get(world: World, path: string, token?: string): Promise<Response> {
  return fetch(`${world.url}${path}`, token === undefined ? {} : { headers: { 'PRIVATE-TOKEN': token } })
}

async function openApp(visibility = 'public'): Promise<World> {
  const world = await openWorld()
  await world.post('/projects', { name: 'app', visibility })
  return world
}

describe('an upload', () => {
  test('of a picture is shown in place, of another file a link; both have safe names', async () => {
    const world = await openApp()
    await eachCase(
      [
        [new File([pixel], 'dk.png'), 'dk', 'dk.png', '!'],
        [new File(['a'], 'notes (1).txt'), 'notes__1_.txt', 'notes__1_.txt', ''],
        [new File(['a'], '../../evil.sh'), 'evil.sh', 'evil.sh', ''],
      ] as const,
      async ([file, alt, name, mark]) => {
        const { status, body } = await upload(world, file)
        expect([status, body.url]).toEqual([201, expect.stringMatching(/^\/uploads\/[0-9a-f]{32}\/[\w.]+$/)])
        const full_path = `/-/project/1${body.url}`
        expect(body).toEqual({ alt, url: body.url, full_path, markdown: `${mark}[${alt}](${body.url})` })
        expect(body.url.endsWith(`/${name}`)).toBe(true)
      },
    )
  })

  test('is for those who see the project, unless it is archived', async () => {
    const world = await openApp('private')
    const ann = await world.user('ann')
    const status = async (token: string) => (await upload(world, new File(['a'], 'a'), token)).status
    expect([await status(ann.token), await status('wrong')]).toEqual([404, 401])
    await world.put('/projects/1', { visibility: 'internal' })
    expect(await status(ann.token)).toBe(201)
    await world.post('/projects/1/archive')
    expect(await status(ann.token)).toBe(403)
    await world.post('/projects/1/unarchive')
    expect(await status(ann.token)).toBe(201)
  })

  test('without a file, with text in its place or too large, is refused', async () => {
    const world = await openApp()
    expect(await world.body('POST', '/projects/1/uploads', {})).toEqual({ error: 'file is missing' })
    expect((await upload(world, 'text')).body).toEqual({ error: 'file is invalid' })
    // What browsers send where no file was chosen.
    expect((await upload(world, new File([], ''))).status).toBe(400)
    const large = await upload(world, new File([Buffer.alloc(10 * 1024 * 1024 + 1)], 'a.bin'))
    expect([large.status, large.body]).toEqual([413, { message: '413 Request Entity Too Large' }])
  })
})

describe('an uploaded file', () => {
  test('is served unchanged; only pictures are shown in place, and no browser runs a file', async () => {
    const world = await openApp()
    const bytes = Buffer.from(Array.from({ length: 256 }, (_, index) => index))
    await eachCase(
      [
        ['page.html', 'application/octet-stream', /^attachment; filename=/],
        ['drawing.svg', 'application/octet-stream', /^attachment/],
        ['picture.png', 'image/png', /^inline$/],
      ] as const,
      async ([name, type, disposition]) => {
        const { body } = await upload(world, new File([bytes], name, { type: 'text/html' }))
        const served = await get(world, `/root/app${body.url}`)
        expect(Buffer.from(await served.arrayBuffer())).toEqual(bytes)
        expect(served.headers.get('content-type')).toBe(type)
        expect(served.headers.get('content-disposition') ?? 'inline').toMatch(disposition)
        expect(served.headers.get('x-content-type-options')).toBe('nosniff')
        expect(served.headers.get('content-security-policy')).toBe("default-src 'none'; sandbox")
      },
    )
  })

  test('of a private project is for those who see the project', async () => {
    const world = await openApp('private')
    const ann = await world.user('ann')
    const { body } = await upload(world, new File(['a'], 'a.txt'))
    const status = async (token?: string) => (await get(world, `/root/app${body.url}`, token)).status
    expect([await status(), await status(ann.token), await status('root-token'), await status('wrong')]).toEqual([
      404, 404, 200, 401,
    ])
  })

  test('moves with its project, and is not found under another one or another name', async () => {
    const world = await openApp()
    await world.post('/projects', { name: 'other', visibility: 'public' })
    const { body } = await upload(world, new File(['a'], 'a.txt'))
    const secret = body.url.split('/')[2]
    await world.put('/projects/1', { path: 'moved' })
    expect((await get(world, `/root/moved${body.url}`)).status).toBe(200)
    expect((await get(world, body.full_path)).status).toBe(200)
    await eachCase(
      [
        `/root/app${body.url}`,
        `/root/other${body.url}`,
        `/-/project/2${body.url}`,
        `/-/project/99${body.url}`,
        `/root/moved/uploads/${'0'.repeat(32)}/a.txt`,
        `/root/moved/uploads/${secret}/..%2f..%2f..%2fetc%2fpasswd`,
        `/root/moved/uploads/${secret}/a.txt%00.png`,
        `/root/moved/uploads/${secret}/%ff`,
        `/root/moved/uploads/${secret}`,
      ],
      async (path) => {
        const served = await get(world, path)
        expect([served.status, Object.keys((await served.json()) as object)]).toEqual([404, [expect.any(String)]])
      },
    )
  })
})
