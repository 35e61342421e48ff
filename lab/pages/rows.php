<?php
$db = new PDO('mysql:host=10.7.0.1;dbname=whit', 'whit', 'whit', [PDO::ATTR_PERSISTENT => true]);
$rows = $db->prepare('SELECT number, text FROM line WHERE page = ? ORDER BY number');
$rows->execute([(int) $_GET['of']]);
?>
<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Rows</title>
<table>
<?php foreach ($rows as $row) { ?>
<tr><td><?= htmlspecialchars($row['number']) ?><td><?= htmlspecialchars($row['text']), "\n" ?>
<?php } ?>
</table>
</html>
