// Which projects a hook command is for.
import { findTargets } from '../../../src/cli/hooks/targets.ts'
import { createClient } from '../../../src/client/create-client.ts'

const project = (id: number, path: string, namespace?: number) => ({
  ...{ id, path_with_namespace: path },
  ...(namespace === undefined ? {} : { namespace: { id: namespace } }),
})
const hotel = [project(3, 'hotel/web', 7), project(4, 'inn/shared-with-hotel', 8), project(5, 'hotel/app')]
const bodies: Record<string, unknown> = {
  '/groups/hotel': { id: 7 },
  '/groups/7/projects': hotel,
  '/groups/7/subgroups': [{ id: 9 }],
  '/groups/9/projects': [project(6, 'hotel/bar/tab', 9)],
  '/groups/9/subgroups': [],
  '/projects/hotel%2Fapp': hotel[2],
}
const client = createClient({
  baseUrl: 'https://code.example',
  token: 'x',
  fetch: async (url) => {
    const body = bodies[new URL(String(url)).pathname.replace('/api/v4', '')]
    return Response.json(body ?? { message: '404 Not found' }, { status: body === undefined ? 404 : 200 })
  },
})

test('the projects of a group and its subgroups, each once, without those that are shared with the group', async () => {
  const { projects, failed } = await findTargets(client, ['hotel', 'hotel/app', 'nobody'])
  expect(projects.map(({ path }) => path)).toEqual(['hotel/app', 'hotel/bar/tab', 'hotel/web'])
  expect(failed.map(({ name }) => name)).toEqual(['nobody'])
})
