// The page to log in: an admin token becomes a session.

/** `next` is where the person wanted to go. */
export function Login({ next, problem }: { next: string; problem?: string | undefined }) {
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
        A token of <code>BELLHOP_ADMIN_TOKENS</code>, or <code>BELLHOP_ADMIN_TOKEN</code>, of the bot that runs here.
      </p>
    </div>
  )
}

/** Where to go after it: a page of ours, whatever was sent. */
export function nextPage(sent: unknown): string {
  if (typeof sent !== 'string' || !URL.canParse(sent, base)) return '/admin'
  const { origin, pathname, search } = new URL(sent, base)
  return origin === base && /^\/admin(?:\/|$)/.test(pathname) ? pathname + search : '/admin'
}

const base = 'http://bellhop.invalid'
