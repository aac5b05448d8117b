/** What a browser sees that has no token: how to get in. It tells nothing about the server. */
const PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>IdeA</title>
<style>
  :root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
  main { max-width: 36rem; margin: 20vh auto; padding: 0 1rem; }
</style>
<main>
<h1>IdeA</h1>
<p>This window is not signed in. Run <code>idea</code> in a terminal: it opens the window with the right address.</p>
<p lang="fr">Cette fenêtre n’est pas connectée. Lancez <code>idea</code> dans un terminal : la fenêtre s’ouvrira à la bonne
adresse.</p>
</main>
</html>
`;

export function signInPage(): Response {
  return new Response(PAGE, {
    status: 401,
    headers: { "content-type": "text/html; charset=utf-8", "cache-control": "no-store", "www-authenticate": "Bearer" },
  });
}
