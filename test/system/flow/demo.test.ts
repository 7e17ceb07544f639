// `bellhop demo` as a person runs it: run to its end as the README's picture shows, kept running, and stopped early.
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ownFolder } from '../../cli/own-folder.ts'
import { root, startCommand } from '../process.ts'

let folder: string
beforeEach(() => {
  folder = ownFolder().folder
})

/** One demo does as much work as many other tests together. */
const withinMs = 240_000

/** Commits and times are others each time. */
const lasting = (line: string) => line.replace(/^ *\d+\.\d\ds/, '').replaceAll(/\b[0-9a-f]{10,40}\b/g, '…')
const linesIn = (picture: string) =>
  [...picture.matchAll(/<text x="20" [^>]*>(.*)<\/text>/g)].map(([, line = '']) =>
    lasting(line.replaceAll(/<[^>]*>/g, '')),
  )

test(
  'with --keep every story holds, both servers answer with the printed tokens, and Ctrl-C removes the folder',
  async () => {
    const demo = startCommand(['demo', '--keep'], { TMPDIR: folder, BELLHOP_QUEUE_URL: 'redis://inherited.invalid' })
    const [, sandbox = '', rootToken = ''] = await demo.says(/sandbox +(http:\S+) +PRIVATE-TOKEN of root: (\S+)/)
    const [, bellhop = '', adminToken = ''] = await demo.says(/bellhop +(http:\S+) +admin token: (\S+)/)
    expect(demo.stdout()).toMatch(/(\d+) of \1 checks passed\./)
    expect(demo.stdout()).not.toContain('\u001b[')
    expect(demo.stdout()).not.toContain('✗')
    const shown = linesIn(await readFile(join(root, 'docs/images/demo.svg'), 'utf8'))
    expect(shown).toContain('  ✓ it is not merged')
    expect(demo.stdout().split('\n').map(lasting)).toEqual(expect.arrayContaining(shown))
    const user = await fetch(`${sandbox}/api/v4/user`, { headers: { 'PRIVATE-TOKEN': rootToken } })
    expect(await user.json()).toMatchObject({ id: 1, username: 'root' })
    const deliveries = await fetch(`${bellhop}/admin/api/deliveries`, {
      headers: { authorization: `Bearer ${adminToken}` },
    })
    expect(deliveries.status).toBe(200)
    await deliveries.body?.cancel()
    expect(await readdir(folder)).toHaveLength(1)
    demo.child.kill('SIGINT')
    expect(await demo.ended).toEqual({ code: 0, signal: null })
    expect(await readdir(folder)).toEqual([])
  },
  withinMs,
)

test(
  'every story holds on the free tier too',
  async () => {
    const demo = startCommand(['demo', '--tier', 'free'], { TMPDIR: folder })
    expect(await demo.ended, demo.stdout()).toEqual({ code: 0, signal: null })
    expect(demo.stdout()).toMatch(/(\d+) of \1 checks passed\./)
  },
  withinMs,
)

test('Ctrl-C while it sets up ends it at once and removes the folder', async () => {
  const demo = startCommand(['demo'], { TMPDIR: folder })
  await demo.says(/A hosting service, a project, and Bellhop/)
  demo.child.kill('SIGINT')
  expect(await demo.ended).toEqual({ code: 130, signal: null })
  expect(await readdir(folder)).toEqual([])
})
