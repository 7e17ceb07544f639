// The URLs of a Redis, and that no error shows what was in a wrong one.
import fc from 'fast-check'
import { isRedisUrl, readRedisUrl, redisPasswords } from '../../../src/queue/redis/target.ts'

describe('the URL of a Redis', () => {
  test('names one server, as ioredis reads it', () => {
    expect(readRedisUrl('rediss://me:secret@redis.example.com:6380/2')).toEqual({
      kind: 'server',
      url: 'rediss://me:secret@redis.example.com:6380/2',
      shown: 'rediss://redis.example.com:6380/2',
    })
  })

  test('names a master that Sentinels know, with the password of Redis and that of the Sentinels', () => {
    expect(
      readRedisUrl('redis+sentinel://me:p%40ss@a:1,b,[::1]:3/main/2?sentinelUsername=watch&sentinelPassword=%26x'),
    ).toEqual({
      kind: 'sentinel',
      sentinels: [
        { host: 'a', port: 1 },
        { host: 'b', port: 26_379 },
        { host: '::1', port: 3 },
      ],
      name: 'main',
      db: 2,
      credentials: { username: 'me', password: 'p@ss' },
      sentinelCredentials: { username: 'watch', password: '&x' },
      tls: false,
      shown: 'redis+sentinel://a:1,b:26379,[::1]:3/main',
    })
  })

  test.each(['a+b', 'a b', '100%', 'a&b=c#?', 'ü'])(
    'reads the Sentinels’ password %s like that of Redis',
    (password) => {
      const of = (text: string) =>
        readRedisUrl(`redis+sentinel://a:1/main?sentinelUsername=me&sentinelPassword=${text}`)
      const expected = { sentinelCredentials: { username: 'me', password } }
      expect(of(encodeURIComponent(password))).toMatchObject(expected)
      if (!/[%&#]/.test(password)) expect(of(password)).toMatchObject(expected)
    },
  )

  test.each([
    ['redis://', /redis:\/\/\[user/],
    ['redis://host:99999', /redis:\/\/\[user/],
    ['redis://host/name', /redis:\/\/\[user/],
    ['redis://me:%zz@host', /%25/],
    ['redis+sentinel://a:1,b:2', /MASTER_NAME/],
    ['redis+sentinel://a:1/', /MASTER_NAME/],
    ['redis+sentinel://a:1/main/x', /MASTER_NAME/],
    ['redis+sentinel://a:1/main?password=x', /MASTER_NAME/],
    ['redis+sentinel://a:1/main?sentinelPassword=100%', /"%", "&" and "\+" in a password are .*%25, %26 and %2B/],
    ['redis+sentinel://a:99999/main', /MASTER_NAME/],
    ['redis+sentinel://me:pa@ss@a:1/main', /%40/],
    ['redis+sentinel://me:%zz@a:1/main', /%25/],
    ['redis+sentinel://a:1,,b:2/main', /MASTER_NAME/],
    ['redis+sentinel://a:0/main', /MASTER_NAME/],
  ])('%s is refused with what is expected', (url, expected) => {
    expect(isRedisUrl(url)).toBe(true)
    expect(() => readRedisUrl(url)).toThrow(expected)
  })

  const schemes = ['redis', 'rediss', 'redis+sentinel', 'rediss+sentinel']
  /** Nothing that a message says by itself. */
  const secret = fc.string({ minLength: 8, maxLength: 30 }).map((text) => `q8Z${text}`)
  const anyUrl = fc.tuple(
    fc.constantFrom(...schemes),
    secret,
    fc.boolean(),
    fc.constantFrom('h', 'h:1', 'h:1,i:2', 'h:x', '', 'h,,i', '[::1]:1'),
    fc.constantFrom('', '/', '/main', '/main/1', '/0', '/main/x', '?family=6', '/main?sentinelPassword=q8Zother'),
  )

  test('neither an error nor what is shown has the credentials', () => {
    fc.assert(
      fc.property(anyUrl, ([scheme, password, isEncoded, hosts, rest]) => {
        const url = `${scheme}://user-q8Z:${isEncoded ? encodeURIComponent(password) : password}@${hosts}${rest}`
        let said: string
        try {
          said = readRedisUrl(url).shown
        } catch (error) {
          said = JSON.stringify(error, Object.getOwnPropertyNames(error))
        }
        expect(said).not.toContain('q8Z')
      }),
    )
  })

  test('every password of a URL that is right is known to the log', () => {
    fc.assert(
      fc.property(anyUrl, ([scheme, password, , hosts, rest]) => {
        const url = `${scheme}://user:${encodeURIComponent(password)}@${hosts}${rest}`
        expect(redisPasswords(url)).toEqual(expect.arrayContaining([password, encodeURIComponent(password)]))
        if (rest.includes('sentinelPassword')) expect(redisPasswords(url)).toContain('q8Zother')
      }),
    )
    expect(redisPasswords('redis://host')).toEqual([])
    expect(redisPasswords('redis://user@host')).toEqual([])
    expect(redisPasswords('postgres://me:secret@h')).toEqual([])
  })
})
