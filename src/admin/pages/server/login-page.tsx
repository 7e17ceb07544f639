// The login form.

/** `next`: the page to show afterwards. */
export function Login({ next, problem }: { next: string; problem?: string }) {
  return (
    <div class="login">
      <h1>Log in</h1>
      {problem !== undefined && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      <form method="post" action="/admin/login">
        <input type="hidden" name="next" value={next} />
        <label>
          <span>Admin token</span>
          <input name="token" type="password" autocomplete="current-password" required />
        </label>
        <button type="submit" class="main">
          Log in
        </button>
      </form>
      <p class="hint">
        A token from <code>BELLHOP_ADMIN_TOKENS</code>, or <code>BELLHOP_ADMIN_TOKEN</code>.
      </p>
    </div>
  )
}

/** The page to show after the login: always one of our own. */
export function nextPage(given: unknown): string {
  if (typeof given !== 'string' || !URL.canParse(given, base)) return '/admin'
  const { origin, pathname, search } = new URL(given, base)
  return origin === base && /^\/admin(?:\/|$)/.test(pathname) ? pathname + search : '/admin'
}

const base = 'http://bellhop.invalid'
